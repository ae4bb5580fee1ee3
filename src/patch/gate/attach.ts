import { createGate } from '../gate.ts';
import type { Gate, Host } from './types.ts';

/** The parts of the SDK's query that the gate reads; minifiers keep property names. */
export interface Query {
  transport?: Transport;
  abortController?: AbortController;
  isSingleUserTurn?: boolean;
  hasBidirectionalNeeds?(): boolean;
  canUseTool?: unknown;
  hooks?: unknown;
  sdkMcpTransports?: Servers;
  /** Since 0.3.3xx. */
  sdkMcpServers?: Servers;
}

/** In-process MCP servers by name. */
interface Servers {
  size: number;
  has?(server: string): boolean;
}

interface Transport {
  processStdout?: Readable;
  /** In the oldest releases. */
  childStdout?: Readable;
}

interface Readable {
  readableEnded?: boolean;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

const gates = new WeakMap<object, Gate>();
/** Transports whose CLI we have asked for session state. */
const asked = new WeakSet();

/** The gate of a query. A host may wrap its query in a Proxy, whose methods see another `this`, but one transport. */
export function gateOf(query: Query): Gate {
  const key = query.transport ?? query;
  let gate = gates.get(key);
  if (!gate) gates.set(key, (gate = createGate(attach(query))));
  return gate;
}

/**
 * Asks the CLI for session state through the child's environment. The caller's own setting wins, and an
 * environment that is the host's own is left alone.
 */
export function askForState(transport: object, env: Record<string, string | undefined>): void {
  const name = 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS';
  // A host that runs below a CLI which we asked inherits the variable; the second one says that nobody set it there.
  const mark = 'HOLDOPEN_ASKED';
  if (env[name] === undefined && env !== process.env && Object.isExtensible(env)) env[name] = env[mark] = '1';
  if (env[mark] === '1' && env[name] === '1') asked.add(transport);
}

/** Releases before 0.1.63 have no predicate, and hold for some of its terms only. */
function hasNeeds(query: Query): boolean {
  if (query.hasBidirectionalNeeds) return query.hasBidirectionalNeeds();
  const hooks = query.hooks;
  return (
    query.canUseTool !== undefined ||
    (typeof hooks === 'object' && hooks !== null && Object.keys(hooks).length > 0) ||
    (query.sdkMcpTransports?.size ?? 0) > 0
  );
}

function attach(query: Query): Host {
  const host = typeof process === 'object' ? process : undefined;
  const debugs = (): boolean =>
    /\bholdopen\b/.test(host?.env.NODE_DEBUG ?? '') || Boolean(host?.env.DEBUG_CLAUDE_AGENT_SDK);
  return {
    needs: () => hasNeeds(query),
    single: () => query.isSingleUserTurn === true,
    serves: (server) => (query.sdkMcpTransports ?? query.sdkMcpServers)?.has?.(server) ?? true,
    now: () => performance.now(),
    timer(ms, callback) {
      const timer = setTimeout(callback, ms) as unknown as { unref?(): void };
      timer.unref?.();
      return () => clearTimeout(timer as unknown as number);
    },
    env: (name) => host?.env[name],
    watch(release) {
      const signal = query.abortController?.signal;
      const stdout = query.transport?.processStdout ?? query.transport?.childStdout;
      const aborted = (): void => release('aborted');
      const silent = (): void => release('the CLI closed its output');
      signal?.addEventListener('abort', aborted);
      stdout?.on('end', silent);
      stdout?.on('close', silent);
      if (signal?.aborted) queueMicrotask(aborted);
      if (stdout?.readableEnded) queueMicrotask(silent);
      return () => {
        signal?.removeEventListener('abort', aborted);
        stdout?.off('end', silent);
        stdout?.off('close', silent);
      };
    },
    asked: () => query.transport !== undefined && asked.has(query.transport),
    warn(code, message) {
      host?.emitWarning(message, { type: 'HoldopenWarning', code });
    },
    debug(line) {
      if (debugs()) host?.stderr.write(`holdopen: ${line}\n`);
    },
  };
}
