// Odd, late and malformed frames: what a CLI may send and hardly any does.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assistantText,
  backgroundTasks,
  init,
  result,
  sessionState,
  taskNotification,
  taskStarted,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';
import { Cli, DIALECTS, Session, controlResponse } from '../support/gate-host.ts';
import { MINUTE, agentMark, dialect, ends, held, shellMark } from '../support/gate-words.ts';

const raw = (frame: Record<string, unknown>) => frame as never;
const launchA = (s: Session, extra: Record<string, unknown> = {}) =>
  s.send(
    init(),
    toolUse('tool-A', 'Agent'),
    taskStarted('A', 'local_agent', extra),
    toolResult('tool-A', 'launched', { mark: agentMark('A') }),
  );

describe('a task without a type has news as any other (task_type is optional)', () => {
  test('edge', () => {
    const s = new Session();
    const p = s.prompt();
    launchA(s, { task_type: undefined });
    s.send(result());
    p.end();
    held(s, 'for A');
    s.advance(5000);
    s.send(taskNotification('A'));
    s.advance(50);
    held(s, 'for the wake');
  });
  test('set', () => {
    const s = new Session();
    const p = s.prompt();
    launchA(s);
    s.send(
      raw({
        type: 'system',
        subtype: 'background_tasks_changed',
        tasks: [{ task_id: 'A', description: 'x' }],
      }),
      result(),
    );
    p.end();
    held(s, 'for A');
    s.advance(5000);
    s.send(backgroundTasks(), taskNotification('A'));
    s.advance(50);
    held(s, 'for the wake');
  });
});

describe('the notification of a task that nobody told of may start a turn', () => {
  for (const when of ['in turn', 'after'] as const)
    test(when, () => {
      const s = new Session();
      const p = s.prompt();
      s.send(init());
      if (when === 'in turn') s.send(taskNotification('X'));
      s.send(result());
      if (when === 'after') {
        const h = s.gate.hold();
        p.end();
        s.send(taskNotification('X'));
        h();
      } else p.end();
      s.advance(50);
      held(s, 'for the wake');
    });
});

describe('HOLDOPEN_HOLD=agents does not hold for a session that runs because of a shell', () => {
  for (const name of DIALECTS.map((d) => d.name))
    for (const prompt of ['iterable', 'string'] as const)
      test(`${name} ${prompt}`, () => {
        const c = new Cli(dialect(name), { env: { HOLDOPEN_HOLD: 'agents' }, prompt });
        c.turn();
        c.launch('B', 'shell');
        c.result();
        c.session.advance(1000);
        ends(c, 'as nothing that holds is outstanding');
      });
});

describe('a message that crosses with idle in the pipe has its turn', () => {
  test('crossing', () => {
    const s = new Session({ asked: true });
    const over = s.prompt();
    s.send(sessionState('running'), init(), assistantText('x'));
    s.write();
    over.end();
    s.send(result(), sessionState('idle'));
    s.advance(10);
    held(s, 'for the message');
    s.send(sessionState('running'), init());
  });
});

describe('a task that is resumed and over again has its news anew', () => {
  test('second end within 900 ms', () => {
    const s = new Session();
    const p = s.prompt();
    launchA(s);
    s.send(backgroundTasks({ id: 'A' }), backgroundTasks(), taskNotification('A'), result());
    p.end();
    s.advance(300);
    s.send(backgroundTasks({ id: 'A' }));
    s.advance(550);
    s.send(backgroundTasks(), taskNotification('A'));
    s.advance(200);
    held(s, 'for the second wake');
  });
});

describe('a task that is ambient no more has news', () => {
  test('news', () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init(), backgroundTasks({ id: 'A', ambient: true }));
    s.send(backgroundTasks({ id: 'A' }), result());
    p.end();
    held(s, 'for A');
    s.send(backgroundTasks(), taskNotification('A'));
    s.advance(30);
    held(s, 'for the wake');
  });
});

describe('a tool that says Stream closed is no loss where nothing could be asked', () => {
  test('no warning', () => {
    const s = new Session({ needs: false });
    const p = s.prompt();
    p.end();
    ends(s, 'at once');
    s.send(
      init(),
      toolUse('t', 'Bash'),
      toolResult('t', 'curl: (18) Stream closed', { isError: true }),
      result(),
    );
    assert.deepEqual(s.host.warnings, []);
  });
});

describe('requires_action without a request is over with the result', () => {
  for (const asked of [false, true])
    test(`asked ${String(asked)}`, async () => {
      const s = new Session({ asked });
      const p = s.prompt();
      s.send(sessionState('running'), init(), sessionState('requires_action'));
      const r = s.ask('r1');
      await r.answer();
      s.send(result());
      p.end();
      s.advance(11 * MINUTE);
      ends(s, 'after the ceiling');
    });
});

describe('a set that is no list says nothing', () => {
  test('no set', () => {
    const s = new Session();
    const p = s.prompt();
    launchA(s);
    s.send(
      backgroundTasks({ id: 'A' }),
      raw({ type: 'system', subtype: 'background_tasks_changed', tasks: null }),
      result(),
    );
    p.end();
    s.advance(5000);
    held(s, 'for A');
  });
});

describe('a number as id is an id', () => {
  test('two tasks', () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init());
    for (const id of [1, 2])
      s.send(
        raw({
          type: 'system',
          subtype: 'task_started',
          task_id: id,
          tool_use_id: `t${id}`,
          task_type: 'local_agent',
          is_backgrounded: true,
        }),
      );
    s.send(result());
    p.end();
    s.send(
      raw({ type: 'system', subtype: 'task_notification', task_id: 1, status: 'completed' }),
      init(),
      result(),
    );
    s.advance(5000);
    held(s, 'for 2');
  });
  test('two requests', async () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init());
    const a = s.ask(1 as never);
    const b = s.ask(2 as never);
    s.send(result());
    p.end();
    await a.answer();
    held(s, 'for 2');
    await b.answer();
    ends(s, 'now');
  });
});

describe('the notification with a status of its own is the last of its task', () => {
  for (const status of [
    'success',
    'succeeded',
    'interrupted',
    'terminated',
    'crashed',
    'finished',
    'rejected',
    'skipped',
    'COMPLETED',
    'killed_by_user',
  ])
    test(status, () => {
      const s = new Session();
      const p = s.prompt();
      launchA(s);
      s.send(result());
      p.end();
      s.send(raw({ type: 'system', subtype: 'task_notification', task_id: 'A', status }), init(), result());
      s.advance(5000);
      ends(s, 'A is over');
    });
});

describe('launches that are replayed are over', () => {
  test('mark of the past', () => {
    const s = new Session();
    const p = s.prompt();
    const frame = toolResult('tool-old', 'x', { mark: shellMark('OLD') }) as unknown as Record<
      string,
      unknown
    >;
    s.send(raw({ ...frame, isReplay: true }), init(), assistantText('hi'), result());
    p.end();
    s.advance(1000);
    ends(s, 'nothing outstanding');
  });
});

const mcp = (id: string, message: Record<string, unknown>) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'mcp_message', server_name: 'srv', message: { jsonrpc: '2.0', ...message } },
});

describe('an in-process MCP call that its client has cancelled is never answered (interrupt, MCP_TOOL_TIMEOUT)', () => {
  for (const asked of [false, true])
    test(`asked ${String(asked)}`, async () => {
      const s = new Session({ asked });
      const p = s.prompt();
      if (asked) s.send(sessionState('running'));
      s.send(init(), toolUse('t', 'mcp__srv__slow'));
      const call = mcp('r1', { id: 2, method: 'tools/call', params: { name: 'slow' } });
      // The MCP package answers no request that was cancelled: this one never settles.
      s.request(call);
      const cancel = mcp('r2', {
        method: 'notifications/cancelled',
        params: { requestId: 2, reason: 'AbortError: remote-cancel' },
      });
      await s.request(cancel).answer();
      s.send(
        toolResult('t', 'interrupted', { isError: true }),
        result({ subtype: 'error_during_execution', is_error: true }),
      );
      p.end();
      if (asked) s.send(sessionState('idle'));
      s.advance(1000);
      ends(s, 'at the result, as stock');
    });
});

describe('two messages written before the first result, and idle after each result', () => {
  test('the second turn has its channel', () => {
    const s = new Session({ asked: true });
    const p = s.prompt(2);
    s.send(sessionState('running'), init(), result());
    p.end();
    s.send(sessionState('idle'));
    s.advance(20);
    held(s, 'for the second message');
  });
});

describe('a late frame of an earlier run of a resumed task (run_id, 0.3.332) ends nothing', () => {
  for (const subtype of ['task_notification', 'task_updated'])
    test(subtype, () => {
      const s = new Session({ asked: true });
      const p = s.prompt();
      const set = (...runs: string[]) =>
        raw({
          type: 'system',
          subtype: 'background_tasks_changed',
          tasks: runs.map((run) => ({
            task_id: 'A',
            run_id: run,
            task_type: 'local_agent',
            description: 'x',
          })),
        });
      s.send(sessionState('running'));
      launchA(s, { run_id: '1', is_backgrounded: true });
      s.send(set('1'), result());
      p.end();
      s.send(set());
      // The model sends A another message: it runs again.
      s.send(
        init(),
        set('2'),
        taskStarted('A', 'local_agent', {
          run_id: '2',
          is_backgrounded: true,
          tool_use_id: 'tool-2',
        }),
      );
      s.send(
        raw({
          type: 'system',
          subtype,
          task_id: 'A',
          run_id: '1',
          status: 'completed',
          patch: { status: 'completed' },
        }),
      );
      s.send(result(), sessionState('idle'));
      s.advance(10_000);
      held(s, 'for the second run of A, which the set names');
    });
});

describe('a request for an in-process server that the query has no longer', () => {
  test('holds nothing: its answer would go nowhere', () => {
    const s = new Session();
    const p = s.prompt();
    const call = mcp('r1', { id: 2, method: 'tools/call', params: { name: 'slow' } });
    s.send(init());
    s.request(call);
    s.send(result());
    p.end();
    s.advance(MINUTE);
    held(s, 'for the answer');
    s.host.gone.add('srv');
    s.send(controlResponse());
    ends(s, 'when the server has gone');
  });
});
