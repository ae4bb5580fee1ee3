// A situation as data: what the model does, what the host does, what the host must have been asked for.
import type { DriveOptions, Match, Plan, Run } from '../drive.ts';
import { askFor, type Reply, shell, type Step, use } from '../messages-api.ts';

/** What the host uses the control channel for, and nothing else. */
export type Kind = 'canUseTool' | 'hooks' | 'mcp';

/** A tool call that cannot be made without the host. */
export type Ask = (name: string) => Reply;

export interface Situation
  extends Pick<Plan, 'actions' | 'options' | 'callbacks' | 'warmed'>, Pick<DriveOptions, 'env' | 'deadline'> {
  script: Record<string, Step[]>;
  /** An iterable with one message, if not given. */
  prompt?: Plan['prompt'];
}

export interface Scenario {
  id: string;
  title: string;
  kinds: Kind[];
  /** Releases that have no such thing. */
  lacking?: string[];
  /** The asks that the host must get. */
  asks?: string[];
  /** Asks that some releases never come to; but if one is made, the host must get it. */
  perhaps?: string[];
  situation: (ask: Ask) => Situation;
  /** Frames, end of input and exit must be those of stock. */
  asStock?: boolean;
  /** How the host leaves is compared with how stock's does: as fast, and with nothing more left open. */
  leaves?: boolean;
  /** What else is wrong with a patched run. */
  check?: (patched: Run) => string[];
}

export const GO = '[[main]] go';

const callbacks: Record<Kind, NonNullable<Plan['callbacks']>> = {
  canUseTool: { canUseTool: { behavior: 'allow' } },
  hooks: { hooks: { PreToolUse: { behavior: 'deny', of: 'ask-' } } },
  mcp: { mcp: true },
};

export const askId = (name: string): string => `toolu_ask_${name}`;

/** Everything that `drive` needs but the bundle and the script. */
export function planOf(scenario: Scenario, kind: Kind): Omit<DriveOptions, 'sdk' | 'script'> & Situation {
  const ask: Ask = (name) =>
    kind === 'mcp' ? use('mcp__host__ping', {}, askId(name)) : askFor(`ask-${name}`, askId(name));
  const situation = scenario.situation(ask);
  // Without canUseTool nobody is there to permit what the situation itself needs.
  const allowedTools = kind === 'canUseTool' ? [] : ['Bash', 'Task', 'Agent'];
  return {
    prompt: [{ say: GO }],
    callbacks: callbacks[kind],
    deadline: 240_000,
    ...situation,
    options: { allowedTools, ...situation.options },
  };
}

/** The nth result the consumer gets. */
export const result = (nth = 1): Match => ({ event: 'frame', frame: { type: 'result' }, nth });

/** A background shell that runs until the host makes the file (20 s at most). */
export const shellUntil = (file: string): Reply =>
  shell(`for i in $(seq 400); do [ -e ${file} ] && break; sleep 0.05; done`, { background: true });

/** After a turn whose end stock takes for the end of input: time enough for that to reach the CLI. */
export const SETTLED = { settle: 250, atMost: 1500 };
