import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { type Query, askForState, gateOf } from '../../src/patch/gate/attach.ts';

const VARIABLE = 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS';
const idle = { type: 'system', subtype: 'session_state_changed', state: 'idle' };
/** Whether a session state frame is kept from the consumer of a query over this transport. */
const hides = (transport: object): boolean => gateOf({ transport }).frame(idle);

describe('asking for session state (G5)', () => {
  test('asks through the child environment, and keeps the frames from the consumer', () => {
    const transport = {};
    const env: Record<string, string | undefined> = { PATH: '/bin' };
    askForState(transport, env);
    assert.equal(env[VARIABLE], '1');
    assert.equal(hides(transport), true);
  });
  for (const value of ['1', '0', ''])
    test(`leaves the caller's own setting (${JSON.stringify(value)}) and frames alone`, () => {
      const transport = {};
      const env: Record<string, string | undefined> = { [VARIABLE]: value };
      askForState(transport, env);
      assert.deepEqual(env, { [VARIABLE]: value });
      assert.equal(hides(transport), false);
    });
  test('a second query with the same environment object is ours as well', () => {
    const env: Record<string, string | undefined> = {};
    askForState({}, env);
    const second = {};
    askForState(second, env);
    assert.equal(hides(second), true);
  });
  test('a host below a CLI that we asked inherits the variable, and its consumer sees none of it', () => {
    const env: Record<string, string | undefined> = {};
    askForState({}, env);
    const nested = {};
    askForState(nested, { ...env });
    assert.equal(hides(nested), true);
  });
  test('leaves an environment alone that cannot be added to', () => {
    const transport = {};
    askForState(transport, Object.freeze({ PATH: '/bin' }));
    assert.equal(hides(transport), false);
  });
  test("never touches the host's own environment", () => {
    const transport = {};
    const before = { ...process.env };
    askForState(transport, process.env);
    assert.deepEqual({ ...process.env }, before);
    assert.equal(hides(transport), false);
  });
});

describe('the query behind the gate', () => {
  /** A query that holds for an unanswered request. */
  function held(query: Query): { ended: () => number } {
    const gate = gateOf(query);
    let ended = 0;
    gate.frame({ type: 'control_request', request_id: 'r1' });
    gate.end('streamInput', () => (ended += 1));
    assert.equal(ended, 0);
    return { ended: () => ended };
  }
  const needs = { canUseTool: () => undefined };

  test('is the same behind a Proxy', () => {
    const query = { ...needs, transport: {} };
    assert.equal(gateOf(new Proxy(query, {})), gateOf(query));
  });
  for (const field of ['sdkMcpTransports', 'sdkMcpServers'] as const)
    test(`a request for a server that is not in ${field} holds nothing`, () => {
      const servers = new Map([['srv', {}]]);
      const query = { ...needs, transport: {}, [field]: servers };
      const gate = gateOf(query);
      const request = {
        subtype: 'mcp_message',
        server_name: 'srv',
        message: { id: 1, method: 'tools/call' },
      };
      gate.frame({ type: 'control_request', request_id: 'r1', request });
      gate.frame({ type: 'result' });
      let ended = 0;
      gate.end('streamInput', () => (ended += 1));
      assert.equal(ended, 0);
      servers.clear();
      gate.frame({ type: 'control_response' });
      assert.equal(ended, 1);
    });

  for (const field of ['processStdout', 'childStdout'] as const)
    for (const event of ['end', 'close'])
      test(`${event} of ${field} ends a hold and leaves no listener`, () => {
        const stdout = new EventEmitter();
        const { ended } = held({ ...needs, transport: { [field]: stdout } });
        assert.equal(stdout.listenerCount('end') + stdout.listenerCount('close'), 2);
        stdout.emit(event);
        assert.equal(ended(), 1);
        assert.equal(stdout.listenerCount('end') + stdout.listenerCount('close'), 0);
      });
  test('abort ends a hold; an abort before it does as well', async () => {
    const abortController = new AbortController();
    const { ended } = held({ ...needs, abortController });
    abortController.abort();
    assert.equal(ended(), 1);
    const late = held({ ...needs, abortController });
    await Promise.resolve();
    assert.equal(late.ended(), 1);
  });
  test('the needs of releases without a predicate: callbacks of every kind, and none', () => {
    for (const query of [needs, { hooks: { PreToolUse: [] } }, { sdkMcpTransports: { size: 1 } }])
      assert.equal(held({ ...query }).ended(), 0);
    for (const query of [{}, { hooks: {} }, { hooks: undefined }, { sdkMcpTransports: { size: 0 } }]) {
      let ended = 0;
      const gate = gateOf(query);
      gate.frame({ type: 'control_request', request_id: 'r1' });
      gate.end('streamInput', () => (ended += 1));
      assert.equal(ended, 1);
    }
  });
  test("the query's own predicate decides where there is one", () => {
    let ended = 0;
    const gate = gateOf({ ...needs, hasBidirectionalNeeds: () => false });
    gate.frame({ type: 'control_request', request_id: 'r1' });
    gate.end('streamInput', () => (ended += 1));
    assert.equal(ended, 1);
  });
  test('each query has a gate of its own', () => {
    const query = {};
    assert.equal(gateOf(query), gateOf(query));
    assert.notEqual(gateOf(query), gateOf({}));
  });
});
