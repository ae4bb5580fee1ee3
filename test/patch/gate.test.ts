import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  assistantText,
  backgroundTasks,
  init,
  result,
  resultError,
  sessionState,
  taskNotification,
  taskProgress,
  taskStarted,
  taskUpdated,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';
import {
  Cli,
  DIALECTS,
  Session,
  controlCancel,
  controlRequest,
  controlResponse,
} from '../support/gate-host.ts';
import { MINUTE, agentMark, dialect, ends, held, shellMark } from '../support/gate-words.ts';

const CEILING = 10 * MINUTE;
/** The longest that a follow-up turn was seen to take to begin. */
const WAKE = 190;

function nothingLeft(session: Session): void {
  assert.deepEqual(session.leftovers, { timers: 0, listeners: 0 });
}

/** The launch of a shell where nothing but its mark tells. */
const launchShell = (id: string) => [
  toolUse(`tool-${id}`, 'Bash'),
  toolResult(`tool-${id}`, 'launched', { mark: shellMark(id) }),
];
const launchAgent = (id: string) => [
  toolUse(`tool-${id}`, 'Agent'),
  toolResult(`tool-${id}`, 'launched', { mark: agentMark(id) }),
];

/** One turn of a prompt that leaves a shell running, input held. */
function heldForShell(settings?: ConstructorParameters<typeof Session>[0]): Session {
  const session = new Session(settings);
  const prompt = session.prompt();
  session.send(init(), ...launchShell('B'), result());
  prompt.end();
  held(session, 'for the shell');
  return session;
}

for (const spoken of DIALECTS) {
  describe(`dialect: ${spoken.name}`, () => {
    for (const prompt of ['iterable', 'string'] as const) {
      test(`S1 S2 a subagent outlives the turn and asks, ${prompt} prompt`, async () => {
        const cli = new Cli(spoken, { prompt });
        cli.turn();
        cli.launch('A');
        cli.result();
        held(cli, 'at result#1');
        cli.session.advance(MINUTE);
        await cli.ask('r1').answer();
        held(cli, 'after the answer');
        cli.finish('A');
        held(cli, 'at the notification');
        cli.turn(WAKE);
        held(cli, 'in the follow-up turn');
        cli.result();
        ends(cli, 'with result#2');
        assert.equal(cli.session.ends.length, 1);
        assert.deepEqual(cli.session.host.warnings, []);
        nothingLeft(cli.session);
      });

      test(`S13 S4 a shell's end wakes the model, which asks, ${prompt} prompt`, async () => {
        const cli = new Cli(spoken, { prompt });
        cli.turn();
        cli.launch('B', 'shell');
        cli.result();
        cli.session.advance(5 * MINUTE);
        held(cli, 'while the shell runs');
        cli.finish('B');
        cli.turn(WAKE);
        cli.session.advance(2 * MINUTE);
        await cli.ask('r1', 'mcp_message').answer();
        held(cli, 'in the follow-up turn');
        cli.result();
        ends(cli, 'with result#2');
        nothingLeft(cli.session);
      });
    }

    test('S1 two agents end out of order', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('A');
      cli.launch('B');
      cli.result();
      cli.finish('B');
      cli.turn(WAKE);
      cli.result();
      cli.session.advance(MINUTE);
      held(cli, 'for A');
      cli.finish('A');
      cli.turn(WAKE);
      held(cli, 'in the last turn');
      cli.result();
      ends(cli, 'with the last result');
    });

    test('S8 a follow-up turn starts another task', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('A');
      cli.result();
      cli.finish('A');
      cli.turn(WAKE);
      cli.launch('B', 'shell');
      cli.result();
      cli.session.advance(MINUTE);
      held(cli, 'after result#2');
      cli.finish('B', { status: 'failed' });
      cli.turn(WAKE);
      held(cli, 'in the third turn');
      cli.result();
      ends(cli, 'with result#3');
    });

    test('S9 a task is over before the result, its wake turn comes after it', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('A', 'shell');
      cli.session.advance(50);
      cli.finish('A', { inTurn: true });
      cli.result({ queued: true });
      held(cli, 'at result#1');
      cli.turn(WAKE);
      cli.session.advance(MINUTE);
      held(cli, 'in the wake turn');
      cli.result();
      ends(cli, 'with result#2');
    });

    test('S9 a task is over before the result, and its wake turn never comes', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('A');
      cli.session.advance(50);
      cli.finish('A', { inTurn: true });
      cli.result();
      // 0.2.50 tells of it right after the result, and always starts a turn then: worth more seconds.
      cli.session.advance(spoken.state ? 42 : spoken.name === 'like 0.2.50' ? 2992 : 992);
      ends(cli, 'within 50 ms of the result where state is reported, within a second or three elsewhere');
      assert.deepEqual(cli.session.host.warnings, []);
      nothingLeft(cli.session);
    });

    test('S11 a workflow outlives the turn', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('W', 'workflow');
      cli.result();
      cli.session.advance(5 * MINUTE);
      held(cli, 'while the workflow runs');
      cli.finish('W');
      cli.turn(WAKE);
      cli.result();
      ends(cli, 'with result#2');
    });

    test('S12 an endless shell is bounded by the ceiling, which is told once', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('dev-server', 'shell');
      cli.result();
      cli.session.advance(CEILING - 100);
      held(cli, 'just before the ceiling');
      cli.session.advance(200);
      ends(cli, 'at the ceiling');
      cli.session.advance(20 * CEILING);
      const [warning, ...more] = cli.session.host.warnings;
      assert.equal(warning?.code, 'HOLDOPEN_CEILING');
      assert.match(warning.message, /dev-server/);
      assert.deepEqual(more, []);
      assert.equal(cli.session.ends.length, 1);
      nothingLeft(cli.session);
    });

    test('S17 an unanswered request holds for as long as it takes', async () => {
      const cli = new Cli(spoken);
      cli.turn();
      const asked = cli.ask('r1');
      cli.result();
      cli.session.advance(24 * 60 * MINUTE);
      held(cli, 'a day later');
      await asked.answer();
      ends(cli, 'with the answer');
      assert.deepEqual(cli.session.host.warnings, []);
    });

    test('S20 closing ends a hold at once', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('A');
      cli.result();
      cli.session.gate.close('closed');
      ends(cli, 'in the call of close');
      nothingLeft(cli.session);
    });

    test('P1 a plain turn ends as in stock', () => {
      const cli = new Cli(spoken);
      cli.turn();
      if (spoken.state === 'caller') return (cli.result(), ends(cli, 'with the idle of the result'));
      cli.result({ queued: true });
      ends(cli, 'in the call of stock');
      assert.equal(cli.session.host.lines.length, 0);
    });

    test('P2 foreground subagents and shells end as in stock', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.foreground('A', 'agent');
      cli.foreground('B', 'shell');
      if (spoken.state === 'caller') return (cli.result(), ends(cli, 'with the idle of the result'));
      cli.result({ queued: true });
      ends(cli, 'in the call of stock');
    });

    test('P2 a foreground subagent beside a background shell leaves nothing behind', () => {
      const cli = new Cli(spoken);
      cli.turn();
      cli.launch('B', 'shell');
      cli.foreground('A', 'agent');
      cli.result();
      held(cli, 'for the shell');
      cli.finish('B');
      cli.turn(WAKE);
      cli.result();
      ends(cli, 'with result#2');
    });

    test('S5 two messages are written before result#1 and get a turn each', async () => {
      const cli = new Cli(spoken, { messages: 2 });
      cli.turn();
      cli.result({ queued: true });
      held(cli, 'at result#1');
      cli.turn(110);
      cli.session.advance(MINUTE);
      await cli.ask('r1').answer();
      held(cli, 'in the second turn');
      cli.result();
      ends(cli, 'with result#2');
    });

    test('S5 two messages are folded into one turn', () => {
      const cli = new Cli(spoken, { messages: 2 });
      cli.turn();
      cli.result({ num_turns: 2 });
      cli.session.advance(spoken.state ? 47 : 992);
      ends(cli, 'soon after the only result');
      assert.deepEqual(cli.session.host.warnings, []);
    });

    test('HOLDOPEN_HOLD=agents does not hold for a shell', () => {
      const cli = new Cli(spoken, { env: { HOLDOPEN_HOLD: 'agents' } });
      cli.turn();
      cli.launch('B', 'shell');
      cli.result({ queued: !spoken.state });
      ends(cli, 'with result#1, or its idle');
    });

    test('HOLDOPEN_HOLD=agents holds for an agent', () => {
      const cli = new Cli(spoken, { env: { HOLDOPEN_HOLD: 'agents' } });
      cli.turn();
      cli.launch('A');
      cli.launch('B', 'shell');
      cli.result();
      cli.session.advance(MINUTE);
      held(cli, 'for the agent');
      cli.finish('A');
      cli.turn(WAKE);
      cli.result();
      if (spoken.state && spoken.idleWaits === 'all') cli.idle();
      ends(cli, 'though the shell goes on');
    });
  });
}

describe('turns and messages (G1)', () => {
  test('S5 a second message is written after result#1', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    session.write();
    prompt.end();
    held(session, 'for the second message');
    session.advance(5 * MINUTE);
    session.send(init(), assistantText('working'));
    held(session, 'in the second turn');
    session.send(result());
    ends(session, 'at result#2');
  });

  test('S5 a message written while held is answered before the end', () => {
    const session = heldForShell();
    session.write();
    session.send(taskNotification('B'), init(), result());
    held(session, 'for the message: which turn that was is not told');
    session.send(init(), result());
    ends(session, 'when both are answered');
  });

  test('S6 shouldQuery:false gives a result without a model turn', () => {
    const session = new Session();
    const prompt = session.prompt(2);
    session.send(init(), result({ num_turns: 0 }));
    prompt.end();
    session.advance(2000);
    held(session, 'at the result without a turn');
    session.send(init(), assistantText('working'));
    held(session, 'in the turn');
    session.send(result());
    ends(session, 'at result#2');
  });

  test('S6 a local command alone ends at its result', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), assistantText('cost'), result({ num_turns: 0 }));
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('P4 an error result is a result', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), resultError());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('an error result of a follow-up turn is a result', () => {
    const session = heldForShell();
    session.send(taskNotification('B', 'failed'), init(), resultError());
    ends(session, 'at the error');
  });

  test('a turn that shows itself by an assistant frame only is a turn', () => {
    const session = heldForShell();
    session.send(taskNotification('B'), assistantText('working'));
    session.advance(5 * MINUTE);
    held(session, 'in the turn');
    session.send(result());
    ends(session, 'at its result');
  });

  test("a subagent's frames are no turn of the main thread", () => {
    const session = heldForShell();
    session.send(taskNotification('B'), assistantText('sub', 'tool-A'));
    session.advance(3000);
    ends(session, 'no turn has begun');
  });

  test('S27 no timer of ours ends input while a turn works for minutes', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    session.write();
    prompt.end();
    session.send(init(), toolUse('tool-1', 'Bash'));
    session.advance(3 * CEILING);
    held(session, 'in a turn with a slow tool');
    session.send(toolResult('tool-1', 'ok'), result());
    ends(session, 'at its result');
    assert.deepEqual(session.host.warnings, []);
  });

  test('a follow-up turn that never says anything again is bounded', () => {
    const session = heldForShell();
    session.send(taskNotification('B'), init());
    session.advance(7 * CEILING);
    ends(session, 'at last');
    assert.equal(session.host.warnings.length, 1);
    nothingLeft(session);
  });

  test('the wait for the first result has no limit, as in stock', () => {
    const session = new Session();
    const prompt = session.prompt();
    prompt.end();
    session.advance(100 * CEILING);
    held(session, 'without a result');
    session.send(init(), result());
    ends(session, 'at the result');
  });

  test('S19 several streams: the end comes once, after the last', () => {
    const session = new Session();
    const first = session.prompt();
    session.send(init(), result());
    const second = session.prompt();
    first.end();
    held(session, 'while another stream is open');
    session.send(init(), result());
    held(session, 'while the other stream may write');
    session.write();
    session.send(init(), result());
    second.end();
    ends(session, 'when the last one is over');
    assert.equal(session.ends.length, 1);
  });

  test('S19 a stream that opens while held can still write', () => {
    const session = heldForShell();
    const more = session.prompt();
    more.end();
    session.send(taskNotification('B'));
    held(session, 'for the message');
    session.send(init(), result({ origin: { kind: 'task-notification' } }), init());
    held(session, 'in its turn');
    session.send(result());
    session.advance(1000);
    ends(session, 'when it is answered');
    assert.equal(session.ends.length, 1);
  });

  test('a stream that throws lets go of the input', () => {
    const session = new Session();
    const first = session.prompt();
    const second = session.prompt(0);
    session.send(init(), result());
    first.end();
    held(session, 'for the second stream');
    second.fail();
    ends(session, 'when it fails');
  });

  test('a stream without messages ends as in stock', () => {
    const session = new Session();
    session.prompt(0).end();
    ends(session, 'in the call of stock');
  });

  test('S16 a wakeup that no frame announces does not hold', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), toolUse('tool-1', 'ScheduleWakeup'), toolResult('tool-1', 'ok'), result());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('S15 a teammate that never settles is bounded', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchAgent('teammate'), result());
    prompt.end();
    session.advance(CEILING + 1);
    ends(session, 'at the ceiling');
    assert.match(session.host.warnings[0]?.message ?? '', /teammate/);
  });
});

describe('outstanding tasks (G2)', () => {
  const held205 = (state?: 'caller' | 'gate'): Cli => {
    const cli = new Cli({ ...dialect('like 0.3.205'), ...(state ? { state } : {}) });
    cli.turn();
    cli.launch('A');
    cli.result();
    held(cli, 'for the agent');
    return cli;
  };

  for (const status of ['completed', 'failed', 'killed', 'stopped', 'cancelled', 'timed_out'])
    test(`edges: task_updated ${status} is terminal`, () => {
      const session = heldForShell();
      session.send(taskUpdated('B', { status }));
      session.advance(1000);
      ends(session, 'soon');
    });

  for (const status of ['running', 'paused', 'pending'])
    test(`edges: task_updated ${status} is not terminal`, () => {
      const session = heldForShell();
      session.send(taskUpdated('B', { status }));
      session.advance(MINUTE);
      held(session, 'for the shell');
    });

  test('terminal edges told twice are one end', () => {
    const session = heldForShell();
    session.send(taskNotification('B'), taskNotification('B'), taskUpdated('B', { status: 'completed' }));
    session.send(init(), result());
    ends(session, 'after one follow-up turn');
  });

  test('the set replaces what edges said', () => {
    const session = heldForShell();
    session.send(backgroundTasks({ id: 'C' }));
    session.advance(2000);
    held(session, 'for C');
    session.send(backgroundTasks());
    session.advance(1000);
    ends(session, 'without any task');
  });

  test('an ambient entry is no activity', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), backgroundTasks({ id: 'M', type: 'monitor', ambient: true }), result());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('an ambient entry beside a real one leaves with it', () => {
    const session = new Session();
    const prompt = session.prompt();
    const ambient = { id: 'M', type: 'monitor', ambient: true } as const;
    session.send(init(), backgroundTasks(ambient, { id: 'A' }), result());
    prompt.end();
    session.advance(MINUTE);
    held(session, 'for A');
    session.send(backgroundTasks(ambient), init(), result());
    ends(session, 'though the ambient one stays');
  });

  test('0.2.50: a foreground subagent that is told late and never ends', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), toolUse('tool-A', 'Task'));
    session.send(toolResult('tool-A', 'done', { mark: { status: 'completed', agentId: 'A' } }));
    session.send(assistantText('done'), taskStarted('A'), result());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('a foreground subagent that is told at its start, and whose end only its tool_result tells', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), toolUse('tool-A', 'Task'), taskStarted('A'));
    session.send(toolResult('tool-A', 'done', { mark: { status: 'completed', agentId: 'A' } }));
    session.send(assistantText('done'), result());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('news of a monitor that no turn took up do not stand in the way of the next ones', () => {
    const cli = new Cli(dialect('like 0.3.205'));
    cli.turn();
    cli.launch('M', 'monitor');
    cli.result();
    cli.send({ ...taskNotification('M'), status: undefined });
    cli.session.advance(MINUTE);
    cli.finish('M');
    cli.session.advance(WAKE);
    held(cli, 'for the turn that its end starts');
    cli.turn(0);
    cli.result();
    cli.session.advance(1000);
    ends(cli, 'after that turn');
  });

  test('idle that comes once more says that the end of a shell wakes nobody', () => {
    const session = heldForShell({ asked: true });
    session.send(sessionState('idle'));
    session.advance(MINUTE);
    session.send(taskNotification('B'));
    session.advance(100);
    held(session, 'for the turn that may come');
    session.send(sessionState('idle'));
    session.advance(50);
    ends(session, 'soon after it');
  });

  test('0.2.50: the model stops a shell, which no task frame reports', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), toolUse('tool-stop', 'TaskStop'));
    const mark = { task_id: 'B', task_type: 'local_bash', command: 'sleep', message: 'stopped' };
    session.send(toolResult('tool-stop', 'ok', { mark }), taskStarted('B', 'local_bash'), result());
    prompt.end();
    ends(session, 'in the call of stock');
  });

  test('0.2.50: the host stops a shell, which only the answer reports', async () => {
    const session = heldForShell();
    const stop = session.stop('B');
    held(session, 'until the CLI has answered');
    await stop.answer();
    session.advance(1000);
    ends(session, 'soon after the answer');
  });

  test('0.2.50: the host stops a shell in the turn that launched it', async () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'));
    await session.stop('B').answer();
    session.send(taskStarted('B', 'local_bash'), result());
    prompt.end();
    session.advance(1000);
    ends(session, 'soon after the result');
  });

  test('0.2.50: the first result is swallowed while an agent runs', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchAgent('A'), assistantText('waiting'), taskStarted('A'));
    session.send(taskNotification('A'), init(), assistantText('done'), result());
    prompt.end();
    session.advance(1000);
    ends(session, 'soon after the only result');
  });

  test('0.2.112: a task that ends in the turn is told without a notification', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), toolUse('tool-A', 'Agent'), taskStarted('A'));
    session.send(toolResult('tool-A', 'launched', { mark: agentMark('A') }));
    session.send(taskUpdated('A', { status: 'completed' }), assistantText('done'), result());
    prompt.end();
    session.advance(1000);
    ends(session, 'soon after the result');
  });

  test('a task moves to the background', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), toolUse('tool-B', 'Bash'), taskStarted('B', 'local_bash'));
    session.send(taskUpdated('B', { is_backgrounded: true }));
    session.send(toolResult('tool-B', 'moved', { mark: shellMark('B') }), result());
    prompt.end();
    session.advance(MINUTE);
    held(session, 'for the moved shell');
    session.send(taskUpdated('B', { status: 'completed' }), taskNotification('B'), init(), result());
    ends(session, 'at result#2');
  });

  test("0.3.332: a shell of a subagent's ends, and the subagent starts again under its old id", () => {
    const cli = new Cli(dialect('like 0.3.332, state for the gate'));
    const shell = { id: 'B', type: 'local_bash' } as const;
    cli.turn();
    cli.launch('A');
    cli.result();
    cli.send(backgroundTasks({ id: 'A' }, shell), taskStarted('B', 'local_bash', { is_backgrounded: true }));
    cli.send(toolResult('tool-B', 'launched', { parent: 'tool-A' }));
    cli.send(taskUpdated('A', { status: 'completed' }), taskNotification('A'), backgroundTasks(shell));
    cli.turn(20);
    cli.send(result(), sessionState('idle'));
    cli.session.advance(MINUTE);
    held(cli, 'for the nested shell');
    cli.send(taskUpdated('B', { status: 'completed' }), taskNotification('B'), backgroundTasks());
    cli.send(sessionState('idle'));
    cli.session.advance(26);
    held(cli, 'until the subagent may start again');
    cli.send(backgroundTasks({ id: 'A' }), taskStarted('A', 'local_agent', { is_backgrounded: true }));
    cli.session.advance(MINUTE);
    held(cli, 'for the resumed subagent');
    cli.send(taskUpdated('A', { status: 'completed' }), taskNotification('A'), backgroundTasks());
    cli.send(sessionState('running'));
    cli.session.advance(350);
    held(cli, 'for its follow-up turn');
    cli.send(init(), result(), sessionState('idle'));
    ends(cli, 'with the last turn');
    assert.equal(cli.session.ends.length, 1);
  });

  test('0.3.332: the wake turns of two shells are merged, the first gives an empty result', () => {
    const cli = new Cli(dialect('like 0.3.332, state for the gate'));
    cli.turn();
    cli.launch('B', 'shell');
    cli.launch('C', 'shell');
    cli.result();
    cli.finish('B');
    cli.session.advance(15);
    cli.finish('C');
    cli.turn(10);
    cli.result({ queued: true, num_turns: 0, origin: { kind: 'task-notification' } });
    held(cli, 'at the empty result');
    cli.turn(16);
    cli.session.advance(MINUTE);
    held(cli, 'in the turn that takes up both');
    cli.result({ origin: { kind: 'task-notification' } });
    ends(cli, 'with the last result');
  });

  test('two shells end together and wake one turn: what is left is bounded', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), ...launchShell('C'), result());
    prompt.end();
    session.send(taskNotification('B'), taskNotification('C'), init(), result());
    held(session, 'as another turn may come');
    session.advance(1000);
    ends(session, 'within a second');
  });

  test('0.3.205: a stopped agent says idle, and wakes the model after that', async () => {
    const cli = held205('gate');
    const stop = cli.session.stop('A');
    cli.finish('A', { status: 'stopped' });
    await stop.answer();
    cli.session.advance(58);
    cli.idle();
    cli.session.advance(160);
    held(cli, 'after the stray idle');
    cli.turn(0);
    cli.result();
    ends(cli, 'with the follow-up turn');
  });

  test('0.3.205: a stopped shell wakes nobody', () => {
    const cli = new Cli(dialect('like 0.3.205, state for the gate'));
    cli.turn();
    cli.launch('B', 'shell');
    cli.result();
    cli.finish('B', { status: 'stopped' });
    cli.session.advance(90);
    cli.idle();
    cli.session.advance(50);
    ends(cli, 'within 50 ms of the bare idle');
  });

  test('a follow-up turn that session state promises may take seconds', () => {
    const cli = held205('caller');
    cli.finish('A');
    cli.session.advance(124);
    cli.send(sessionState('running'));
    cli.session.advance(20_000);
    held(cli, 'while running');
    cli.turn(0);
    cli.result();
    ends(cli, 'with its end');
  });

  test('a notification that wakes nobody is bounded by seconds', () => {
    for (const state of [undefined, 'caller', 'gate'] as const) {
      const cli = held205(state);
      cli.finish('A');
      cli.session.advance(WAKE);
      held(cli, 'at first');
      cli.session.advance(10_000);
      ends(cli, 'seconds later');
      assert.deepEqual(cli.session.host.warnings, []);
      nothingLeft(cli.session);
    }
  });

  test('S11 a monitor: events have no status, only the end has one', () => {
    const session = new Session();
    const prompt = session.prompt();
    const monitor = { id: 'M', type: 'monitor' } as const;
    const event = { ...taskNotification('M'), status: undefined };
    session.send(init(), backgroundTasks(monitor), result());
    prompt.end();
    for (let n = 0; n < 3; n += 1) {
      session.advance(5 * MINUTE);
      session.send(event, init(), result());
      held(session, 'between events');
    }
    session.send(taskNotification('M'), backgroundTasks(), init(), result());
    ends(session, 'after its end');
  });

  test('HOLDOPEN_HOLD is read at run time', () => {
    const session = heldForShell();
    session.host.environment = { HOLDOPEN_HOLD: 'agents' };
    session.send(taskProgress('B'));
    ends(session, 'at the next frame');
  });
});

describe('session state', () => {
  const plainWithState = (settings: { asked: boolean }): { session: Session; seen: boolean[] } => {
    const session = new Session(settings);
    const prompt = session.prompt();
    const seen = session.send(sessionState('running'), init(), result(), sessionState('idle'));
    prompt.end();
    return { session, seen };
  };

  test('G5 state that only the gate asked for is hidden, and nothing else', () => {
    assert.deepEqual(plainWithState({ asked: true }).seen, [false, true, true, false]);
  });

  test('G5 state that the caller asked for stays', () => {
    assert.deepEqual(plainWithState({ asked: false }).seen, [true, true, true, true]);
  });

  test('G5 state is hidden after the end too', () => {
    const { session } = plainWithState({ asked: true });
    ends(session, 'in the call of stock');
    assert.deepEqual(session.send(sessionState('running'), sessionState('idle')), [false, false]);
  });

  test('a session that is not idle holds, and idle ends it', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), taskNotification('B'), sessionState('running'), result());
    prompt.end();
    session.advance(5 * MINUTE);
    held(session, 'while running');
    session.send(sessionState('idle'));
    ends(session, 'at idle');
  });

  test('requires_action stops the clock', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(
      sessionState('running'),
      init(),
      ...launchAgent('A'),
      result(),
      sessionState('requires_action'),
    );
    prompt.end();
    session.advance(100 * CEILING);
    held(session, 'as a human may take for ever');
    session.send(sessionState('running'));
    session.advance(CEILING - 1);
    held(session, 'on a new clock');
    session.advance(2);
    ends(session, 'at the ceiling');
  });

  test("a subagent's permission prompt shows states without a result", async () => {
    const cli = new Cli(dialect('like 0.3.205, state for the gate'));
    cli.turn();
    cli.launch('A');
    cli.result();
    cli.send(sessionState('requires_action'));
    const asked = cli.ask('r1');
    cli.session.advance(2 * CEILING);
    await asked.answer();
    cli.send(sessionState('running'), sessionState('idle'));
    cli.session.advance(MINUTE);
    held(cli, 'for the agent');
    cli.idle();
    cli.finish('A');
    cli.turn(WAKE);
    cli.result();
    ends(cli, 'with the follow-up turn');
  });
});

describe('requests of the CLI (S17)', () => {
  const heldForRequest = () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init());
    const asked = session.ask('r1');
    session.send(result());
    prompt.end();
    held(session, 'for the request');
    return { session, asked };
  };

  for (const subtype of [
    'can_use_tool',
    'hook_callback',
    'mcp_message',
    'elicitation',
    'request_user_dialog',
  ])
    test(`an unanswered ${subtype} holds`, async () => {
      const session = new Session();
      const prompt = session.prompt();
      session.send(init());
      const asked = session.ask('r1', subtype);
      session.send(result());
      prompt.end();
      held(session, 'for the request');
      await asked.answer();
      ends(session, 'with the answer');
    });

  test('control_cancel_request ends the wait, a late answer changes nothing', async () => {
    const { session, asked } = heldForRequest();
    session.send(controlCancel('r2'));
    held(session, 'as that was another one');
    session.send(controlCancel('r1'));
    ends(session, 'at the cancellation');
    await asked.answer();
    assert.equal(session.ends.length, 1);
  });

  test('a request that is delivered twice has to be answered once', async () => {
    const { session, asked } = heldForRequest();
    const twice = session.ask('r1');
    await twice.answer();
    held(session, 'as the first delivery is not answered');
    await asked.answer();
    ends(session, 'with the answer');
  });

  test('two requests are two', async () => {
    const { session, asked } = heldForRequest();
    const other = session.ask('r2');
    await asked.answer();
    held(session, 'for the other');
    await other.answer();
    ends(session, 'with the last answer');
  });

  test('a handler that rejects keeps its rejection and counts as done', async () => {
    const { session, asked } = heldForRequest();
    const error = new Error('handler failed');
    const rejected = assert.rejects(asked.handed, error);
    await asked.reject(error);
    await rejected;
    ends(session, 'with the rejection');
  });

  test('a handled value passes through unchanged', async () => {
    const session = new Session();
    const value = { answered: true };
    const frame = controlRequest('r1');
    session.send(frame);
    assert.equal(await session.gate.request(frame, Promise.resolve(value)), value);
    assert.equal(session.gate.request(frame, 'sync'), 'sync');
  });

  test('S27 a slow callback in a live turn is not ended by a timer', async () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), result());
    prompt.end();
    session.send(taskNotification('B'), init());
    const asked = session.ask('r1');
    session.advance(30 * CEILING);
    held(session, 'while the callback takes its time');
    await asked.answer();
    session.advance(5 * MINUTE);
    held(session, 'in the turn');
    session.send(result());
    ends(session, 'at its result');
    assert.deepEqual(session.host.warnings, []);
  });

  test("an answer starts the ceiling's clock anew", async () => {
    const session = heldForShell();
    const asked = session.ask('r1');
    session.advance(5 * CEILING);
    await asked.answer();
    session.advance(CEILING - 1);
    held(session, 'before the ceiling');
    session.advance(2);
    ends(session, 'at the ceiling');
  });

  test('S22 a hook at shutdown comes after the end and changes nothing', async () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    prompt.end();
    ends(session, 'in the call of stock');
    await session.ask('r1', 'hook_callback').answer();
    assert.equal(session.ends.length, 1);
    nothingLeft(session);
  });
});

describe('no callbacks (P3)', () => {
  test('without callbacks input ends as in stock, whatever is outstanding', () => {
    const session = new Session({ needs: false });
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), result());
    prompt.end();
    ends(session, 'in the call of stock');
    nothingLeft(session);
  });

  test('without callbacks endInput that throws throws in the caller, as in stock', () => {
    const session = new Session({ needs: false });
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'), result());
    session.endInput = () => {
      throw new Error('no transport');
    };
    assert.throws(() => prompt.end(), /no transport/);
    nothingLeft(session);
  });

  test('callbacks that vanish while held end the hold at the next frame', () => {
    const session = heldForShell();
    session.host.bidirectional = false;
    session.send(taskProgress('B'));
    ends(session, 'without callbacks');
    nothingLeft(session);
  });
});

describe('the ceiling (G3)', () => {
  const endsAfter = (env: Record<string, string>): number => {
    const session = heldForShell({ env });
    const from = session.host.now();
    session.advance(3 * CEILING);
    return session.ended ? (session.ends[0] ?? 0) - from : Infinity;
  };
  const cases: [string, Record<string, string>, number][] = [
    ['is 10 minutes', {}, CEILING],
    ['is HOLDOPEN_CEILING_MS', { HOLDOPEN_CEILING_MS: '3000' }, 3000],
    ["is the CLI's own otherwise", { CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '4000' }, 4000],
    [
      'is ours where both are set',
      { HOLDOPEN_CEILING_MS: '3000', CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '4000' },
      3000,
    ],
    ['is none at 0', { HOLDOPEN_CEILING_MS: '0' }, Infinity],
    [
      "is none at 0, though the CLI's is set",
      { HOLDOPEN_CEILING_MS: '0', CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '4000' },
      Infinity,
    ],
    ['ignores an empty value', { HOLDOPEN_CEILING_MS: '' }, CEILING],
    ['ignores text', { HOLDOPEN_CEILING_MS: 'ten minutes' }, CEILING],
    ['ignores a unit', { HOLDOPEN_CEILING_MS: '10m' }, CEILING],
    ['ignores a negative value', { HOLDOPEN_CEILING_MS: '-1' }, CEILING],
    [
      "falls back to the CLI's own at garbage",
      { HOLDOPEN_CEILING_MS: 'x', CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '4000' },
      4000,
    ],
  ];
  for (const [name, env, ms] of cases) test(name, () => assert.equal(endsAfter(env), ms));

  test('longer than a timer can be is no accident', () => {
    const session = heldForShell({ env: { HOLDOPEN_CEILING_MS: '9000000000' } });
    session.advance(8_999_999_999);
    held(session, 'before it');
    session.advance(2);
    ends(session, 'at it');
  });

  test('any frame starts it anew, keep_alive and answers to the host do not', () => {
    const session = heldForShell();
    session.advance(CEILING - 1);
    session.send(taskProgress('B'));
    session.advance(CEILING - 1);
    held(session, 'as the task shows activity');
    session.send({ type: 'keep_alive' }, controlResponse());
    session.advance(2);
    ends(session, 'at the ceiling');
  });

  test('a hold that ends by itself warns of nothing', () => {
    const session = heldForShell();
    session.send(taskNotification('B'), init(), result());
    session.advance(10 * CEILING);
    assert.deepEqual(session.host.warnings, []);
  });
});

describe('leaving (S20, S26)', () => {
  for (const cause of ['aborted', 'the CLI closed its output'])
    test(`${cause}: ends a hold at once`, () => {
      const session = heldForShell();
      assert.equal(session.host.listeners, 1);
      session.host.happens(cause);
      ends(session, 'in the event');
      nothingLeft(session);
      assert.ok(session.host.lines.some((line) => line.includes(cause)));
      session.send(taskNotification('B'), init(), result());
      session.advance(10 * CEILING);
      assert.equal(session.ends.length, 1);
      nothingLeft(session);
    });

  test('close ends even an unanswered request and a hold of the host', async () => {
    const session = heldForShell();
    session.gate.hold();
    const asked = session.ask('r1');
    session.gate.close('closed');
    ends(session, 'in the call of close');
    nothingLeft(session);
    await asked.answer();
    assert.equal(session.ends.length, 1);
  });

  test('after close no hold begins', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), ...launchShell('B'));
    session.gate.close('closed');
    session.gate.hold();
    session.send(result());
    prompt.end();
    ends(session, 'in the call of stock');
    nothingLeft(session);
  });

  test('close twice, and close of a query that never ended input', () => {
    const session = new Session();
    session.gate.close('closed');
    session.gate.close('closed');
    assert.equal(session.ended, false);
    nothingLeft(session);
  });

  test('frames after the end change nothing', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    prompt.end();
    session.send(init(), ...launchShell('B'), result(), taskNotification('B'), init(), result());
    session.advance(10 * CEILING);
    assert.equal(session.ends.length, 1);
    nothingLeft(session);
  });

  test('end twice is one end', () => {
    const session = heldForShell();
    session.gate.end('endRun', session.run);
    held(session, 'still');
    session.send(taskNotification('B'), init(), result());
    session.gate.end('endRun', session.run);
    assert.equal(session.ends.length, 1);
  });

  test('endInput that throws when called at once throws in the caller', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    session.endInput = () => {
      throw new Error('no transport');
    };
    assert.throws(() => prompt.end(), /no transport/);
    nothingLeft(session);
  });

  test('endInput that throws when held is told to nobody but the debug log', () => {
    const session = heldForShell();
    session.endInput = () => {
      throw new Error('no transport');
    };
    session.send(taskNotification('B'), init(), result());
    ends(session, 'once');
    assert.ok(session.host.lines.some((line) => line.includes('no transport')));
    session.advance(10 * CEILING);
    assert.equal(session.ends.length, 1);
    nothingLeft(session);
  });
});

describe('holdInput (G6)', () => {
  test('holds past the ceiling until it is let go', () => {
    const session = new Session();
    const letGo = session.gate.hold();
    const prompt = session.prompt();
    session.send(init(), result());
    prompt.end();
    session.advance(10 * CEILING);
    held(session, 'by the host');
    letGo();
    ends(session, 'when let go');
    letGo();
    assert.equal(session.ends.length, 1);
    nothingLeft(session);
  });

  test('two holds are two', () => {
    const session = heldForShell();
    const [one, two] = [session.gate.hold(), session.gate.hold()];
    session.send(taskNotification('B'), init(), result());
    one();
    one();
    held(session, 'by the other');
    two();
    ends(session, 'when both are let go');
  });
});

describe('saying why (G7)', () => {
  const lost = toolResult('tool-9', 'Stream closed', { isError: true });

  test('"Stream closed" after the end is told once, with what ended input and when', () => {
    const session = new Session();
    const prompt = session.prompt();
    session.send(init(), result());
    prompt.end();
    session.advance(7000);
    session.send(init(), lost, lost);
    const [warning, ...more] = session.host.warnings;
    assert.equal(warning?.code, 'HOLDOPEN_STREAM_CLOSED');
    assert.match(warning.message, /7 s/);
    assert.match(warning.message, /streamInput/);
    assert.deepEqual(more, []);
  });

  test('"Stream closed" before the end is not ours', () => {
    const session = heldForShell();
    session.send(lost);
    assert.deepEqual(session.host.warnings, []);
  });

  test('the loss after a ceiling names the ceiling', () => {
    const session = heldForShell();
    session.advance(CEILING);
    session.send(lost);
    assert.deepEqual(
      session.host.warnings.map(({ code }) => code),
      ['HOLDOPEN_CEILING', 'HOLDOPEN_STREAM_CLOSED'],
    );
    assert.match(session.host.warnings[1]?.message ?? '', /ceiling/);
  });

  test('a hold and its end are in the debug log', () => {
    const session = heldForShell();
    session.send(taskNotification('B'), init(), result());
    assert.match(session.host.lines[0] ?? '', /holds input.*B/);
    assert.match(session.host.lines.at(-1) ?? '', /releases input: nothing outstanding/);
  });
});
