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
  taskUpdated,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';
import { Cli, Session, controlResponse } from '../support/gate-host.ts';
import { MINUTE, agentMark, dialect, ends, held, shellMark } from '../support/gate-words.ts';

const CEILING = 10 * MINUTE;

describe('a task whose tool_result never came is outstanding (G2: foreground tasks end by their tool_result)', () => {
  for (const fields of [{}, { tool_use_id: undefined }])
    test(`S1 as in the table: tool_use, task_started, result#1 ${JSON.stringify(Object.keys(fields))}`, async () => {
      const s = new Session();
      const p = s.prompt();
      s.send(init(), toolUse('tool-A', 'Agent'), taskStarted('A', 'local_agent', fields), result());
      p.end();
      held(s, 'at result#1');
      s.advance(MINUTE);
      held(s, 'while A works');
      await s.ask('r1').answer();
      s.send(taskNotification('A'), init());
      held(s, 'in the wake');
      s.send(result());
      ends(s, 'at result#2');
    });
  test('S9 as in the table: task_started, task_notification, result#1, wake', () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init(), toolUse('tool-A', 'Agent'), taskStarted('A'), taskNotification('A'), result());
    p.end();
    held(s, 'at result#1');
    s.advance(190);
    s.send(init());
    s.advance(MINUTE);
    held(s, 'in the wake');
    s.send(result());
    ends(s, 'at result#2');
  });
});

describe('a query that startup() made becomes one for a string prompt after its first frames', () => {
  for (const when of ['before', 'after'] as const)
    test(`a follow-up written ${when} the first turn begins has a result of its own`, () => {
      const s = new Session();
      s.send(controlResponse());
      s.host.stringPrompt = true;
      if (when === 'after') s.send(init());
      const p = s.prompt();
      p.end();
      if (when === 'before') s.send(init());
      held(s, 'in the first turn');
      s.send(assistantText('one'), result());
      s.endSingleTurn();
      held(s, 'while the follow-up may come');
      s.send(init());
      s.advance(MINUTE);
      held(s, 'in the second turn');
      s.send(result());
      ends(s, 'at result#2');
    });
  test('a task that is over before the result wakes the model', () => {
    const s = new Session();
    s.send(controlResponse());
    s.host.stringPrompt = true;
    s.send(init(), toolUse('tool-A', 'Agent'), taskStarted('A'), taskNotification('A'), result());
    s.endSingleTurn();
    held(s, 'at result#1');
    s.send(init());
    s.advance(MINUTE);
    held(s, 'in the wake');
    s.send(result());
    ends(s, 'at result#2');
  });
});

describe('a task in the reported set is outstanding, whatever edges say (G2: the replace-set where the CLI sends it)', () => {
  const before = { set: backgroundTasks({ id: 'A' }), started: taskStarted('A') };
  for (const order of ['set first', 'started first'])
    for (const then of ['tool_result', 'result'])
      test(`${order}, then ${then} without a launch mark`, () => {
        const s = new Session();
        const p = s.prompt();
        s.send(init(), toolUse('tool-A', 'Agent'));
        s.send(...(order === 'set first' ? [before.set, before.started] : [before.started, before.set]));
        if (then === 'tool_result') s.send(toolResult('tool-A', 'started'));
        s.send(result());
        p.end();
        s.advance(MINUTE);
        held(s, 'for A, which the set names');
      });
});

describe('a blocked host: frames that wait in the pipe come before the verdict (G1, G3)', () => {
  const heldForShell = () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
    p.end();
    held(s, 'for B');
    return s;
  };
  test('blocked for 2 s after the notification: the init is in the pipe', () => {
    const s = heldForShell();
    s.send(taskNotification('B'));
    s.host.block(2000);
    held(s, 'as the wake turn is in the pipe');
    s.send(init());
    s.advance(MINUTE);
    s.send(result());
    ends(s, 'at result#2');
  });
  test('blocked for 30 min', () => {
    const s = heldForShell();
    s.host.block(3 * CEILING);
    held(s, 'until what is in the pipe was read');
  });
});

describe('a stream without messages does not lift what is outstanding (G1, G6)', () => {
  test('holdInput() and an empty stream', () => {
    const s = new Session();
    const letGo = s.gate.hold();
    s.prompt(0).end();
    held(s, 'by the host');
    letGo();
    ends(s, 'when let go');
  });
  test('string prompt, task outstanding, then streamInput of nothing', () => {
    const s = new Session();
    s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
    s.prompt(0).end();
    held(s, 'for the shell');
  });
  test('an unanswered request and an empty stream', async () => {
    const s = new Session();
    const asked = s.ask('r1');
    s.prompt(0).end();
    held(s, 'for the request');
    await asked.answer();
    ends(s, 'with the answer');
  });
});

describe('idle after the result: nothing that was written before it is owed (G1)', () => {
  test('two shouldQuery:false messages folded into one empty result', () => {
    const s = new Session();
    const p = s.prompt(2);
    s.send(sessionState('running'), init(), result({ num_turns: 0 }));
    p.end();
    s.send(sessionState('idle'));
    s.advance(50);
    ends(s, 'at idle');
  });
  test('without session state the same is bounded by seconds, not by 6 ceilings', () => {
    const s = new Session();
    const p = s.prompt(2);
    s.send(init(), result({ num_turns: 0 }));
    p.end();
    s.advance(CEILING + 1);
    ends(s, 'at the ceiling at the latest');
  });
});

test('0.2.50, measured (fg-agent-bg-shell): a foreground subagent leaves a background shell', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-A', 'Task'), toolUse('tool-B', 'Bash', {}, 'tool-A'));
  s.send(
    toolResult('tool-B', 'Command running in background with ID: b967bbd. Output is ...', {
      parent: 'tool-A',
    }),
  );
  s.send(
    toolResult('tool-A', 'done', { mark: { status: 'completed', agentId: 'A' } }),
    assistantText('done'),
  );
  s.send(taskStarted('A'), taskStarted('b967bbd', 'local_bash', { tool_use_id: 'tool-B' }), result());
  p.end();
  held(s, 'for the shell');
  s.advance(580);
  s.send(taskNotification('b967bbd'));
  s.advance(219);
  s.send(init(), result());
  ends(s, 'at result#2');
});

test('edges: an agent that ended is started again by another tool call under its old id (resume)', () => {
  const s = new Session();
  const p = s.prompt();
  const launch = (tool: string) => [
    toolUse(tool, 'Agent'),
    taskStarted('A', 'local_agent', { tool_use_id: tool }),
    toolResult(tool, 'x', { mark: agentMark('A') }),
  ];
  s.send(init(), ...launch('tool-1'), result());
  p.end();
  s.send(
    taskUpdated('A', { status: 'completed' }),
    taskNotification('A'),
    init(),
    ...launch('tool-2'),
    result(),
  );
  s.advance(MINUTE);
  held(s, 'for the resumed agent');
  s.send(taskUpdated('A', { status: 'completed' }), taskNotification('A'), init(), result());
  ends(s, 'at result#3');
});

test('a stop that the CLI refuses ends nothing, whatever else it agrees to', async () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  p.end();
  const stop = s.stop('B');
  s.send(controlResponse('success'));
  await stop.reject(new Error('no such task'));
  s.advance(MINUTE);
  held(s, 'as B still runs');
});

test('a notification between the result and its idle keeps its time (idle of the turn, not a bare one)', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(
    sessionState('running'),
    init(),
    backgroundTasks({ id: 'B', type: 'local_bash' }),
    toolUse('tool-B', 'Bash'),
  );
  s.send(taskStarted('B', 'local_bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  p.end();
  s.advance(2);
  s.send(backgroundTasks(), taskNotification('B'));
  s.advance(2);
  s.send(sessionState('idle'));
  s.advance(124);
  held(s, 'as running came up to 124 ms after the notification');
});

test('0.3.332 on a machine twice as slow: the subagent starts again 52 ms after the bare idle', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(sessionState('running'), init(), backgroundTasks({ id: 'B', type: 'local_bash' }), result());
  p.end();
  s.send(sessionState('idle'));
  s.send(
    taskUpdated('B', { status: 'completed' }),
    { ...taskNotification('B'), owned_by_subagent: true },
    backgroundTasks(),
  );
  s.send(sessionState('idle'));
  s.advance(52);
  held(s, 'for the owner, which is told');
});

describe('ambient entries are no activity', () => {
  const ambient = { id: 'M', type: 'monitor', ambient: true } as const;
  test('its end waits for no follow-up turn', () => {
    const s = new Session();
    const p = s.prompt();
    s.send(init(), backgroundTasks(ambient), taskStarted('M', 'monitor', { is_backgrounded: true }));
    s.send(backgroundTasks(), taskNotification('M'), result());
    p.end();
    ends(s, 'in the call of stock');
  });
  test('started before the set tells that it is ambient', () => {
    const s = new Session();
    const p = s.prompt();
    s.send(
      init(),
      taskStarted('M', 'monitor', { is_backgrounded: true }),
      backgroundTasks(ambient),
      result(),
    );
    p.end();
    ends(s, 'in the call of stock');
  });
  test('does not make state of our own asking count (G4: never had a background task)', () => {
    const s = new Session({ asked: true });
    const p = s.prompt();
    s.send(sessionState('running'), init(), backgroundTasks(ambient), result());
    p.end();
    ends(s, 'in the call of stock');
  });
});

test('a thenable that is no Promise of this realm is awaited', async () => {
  const s = new Session();
  const p = s.prompt();
  const frame = { type: 'control_request', request_id: 'r1', request: {} };
  s.send(init(), frame);
  let resolve!: (v: unknown) => void;
  const inner = new Promise((r) => (resolve = r));
  const foreign = {
    then: inner.then.bind(inner),
    catch: inner.catch.bind(inner),
    finally: inner.finally.bind(inner),
  };
  s.gate.request(frame, foreign);
  s.send(result());
  p.end();
  const early = s.ended;
  resolve(1);
  await inner;
  assert.equal(early, false, 'held for the request');
});

test('the ceiling counts from the beginning of the hold: no silent end in the call of end()', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  s.advance(CEILING + 1);
  p.end();
  held(s, 'or it warns');
});

test('a ceiling of blanks is garbage, not 0', () => {
  const s = new Session({ env: { HOLDOPEN_CEILING_MS: ' ' } });
  const p = s.prompt();
  s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  p.end();
  s.advance(CEILING + 1);
  ends(s, 'at the default ceiling');
});

test('a stopped shell wakes nobody: no wait beyond 50 ms where state is reported (G4)', () => {
  const cli = new Cli(dialect('like 0.3.205, state for the gate'));
  cli.turn();
  cli.launch('B', 'shell');
  cli.result();
  cli.finish('B', { status: 'stopped' });
  cli.session.advance(50);
  ends(cli, 'soon after the notification');
});

test('a message written while held, then a wake turn that says its origin: the end is at result, not 900 ms later', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  p.end();
  s.send(taskNotification('B'));
  s.write();
  s.send(init(), result({ origin: { kind: 'task-notification' } }), init(), result());
  ends(s, 'at result#3');
});

test('without state, a slow machine: a completed task notified while idle wakes the model after 2 s (0.2.50: 492 ms under load)', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-B', 'Bash'), toolResult('tool-B', 'x', { mark: shellMark('B') }), result());
  p.end();
  s.send(taskNotification('B'));
  s.advance(2000);
  held(s, 'for the follow-up turn');
});

test('"Stream closed" in the text of a tool that succeeded is no loss', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), result());
  p.end();
  s.send(toolResult('tool-1', 'docs/faq.md: what "Stream closed" means'));
  assert.deepEqual(s.host.warnings, []);
});

test('a foreground subagent without terminal edge: its tool_result names its id for resuming, and that is no launch', () => {
  const s = new Session();
  const p = s.prompt();
  s.send(init(), toolUse('tool-A', 'Task'), taskStarted('a64a4cb', 'local_agent', { tool_use_id: 'tool-A' }));
  s.send(
    toolResult('tool-A', 'done. agentId: a64a4cb (for resuming)', {
      mark: { status: 'completed', agentId: 'a64a4cb' },
    }),
    result(),
  );
  p.end();
  ends(s, 'in the call of stock');
});
