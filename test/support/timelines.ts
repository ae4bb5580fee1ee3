/** Timelines that more than one test file plays. Ids as in the table of situations. */
import {
  type Step,
  type Timeline,
  backgroundTasks,
  canUseTool,
  init,
  assistantText,
  result,
  send,
  sessionState,
  taskNotification,
  taskStarted,
  toolResult,
  toolUse,
} from '../../src/probe/timeline.ts';

/** Time that stock code gets to end stdin before the script goes on; the script goes on as soon as it has. */
const STOCK_MS = 10_000;

/** P1: one turn with one request, then nothing. */
export const plainTurn = (request: Step = canUseTool('r1')): Timeline => ({
  steps: [
    { expect: 'user' },
    ...send(init(), sessionState('running'), toolUse('tool-r1', 'Bash')),
    request,
    ...send(toolResult('tool-r1', 'ok'), assistantText('done'), result(), sessionState('idle')),
  ],
});

/**
 * S1: a subagent outlives the turn and asks after it; its end begins a second turn. Until it is over the session
 * is `running`, as late CLIs report it, unless `idles` (a background shell, S13).
 */
export const outlivesTurn = (
  request: Step = canUseTool('r1'),
  { withinMs = STOCK_MS, idles = false }: { withinMs?: number; idles?: boolean } = {},
): Timeline => {
  const type = idles ? 'local_bash' : 'local_agent';
  return {
    steps: [
      { expect: 'user' },
      ...send(init(), sessionState('running'), toolUse('tool-A', idles ? 'Bash' : 'Agent')),
      ...send(taskStarted('A', type), backgroundTasks({ id: 'A', type }), toolResult('tool-A', 'started')),
      ...send(assistantText('waiting'), result()),
      ...(idles ? send(sessionState('idle')) : []),
      { expectStdinEnd: true, withinMs },
      ...(idles ? [] : [request]),
      ...send(taskNotification('A'), backgroundTasks(), sessionState('running'), init()),
      ...(idles ? [request] : []),
      ...send(assistantText('done'), result(), sessionState('idle')),
    ],
  };
};
