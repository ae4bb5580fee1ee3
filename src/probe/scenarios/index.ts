import { cancelled } from './cancelled.ts';
import { chain } from './chain.ts';
import { cliDies } from './cli-dies.ts';
import { consumerAborts } from './consumer-aborts.ts';
import { consumerBreaks } from './consumer-breaks.ts';
import { consumerCloses } from './consumer-closes.ts';
import { consumerReturns } from './consumer-returns.ts';
import { contextMessage } from './context-message.ts';
import { endlessShell } from './endless-shell.ts';
import { foldedMessages } from './folded-messages.ts';
import { followUps } from './follow-ups.ts';
import { foregroundTasks } from './foreground-tasks.ts';
import { heldWakeup } from './held-wakeup.ts';
import { hooksOnly } from './hooks-only.ts';
import { laterError } from './later-error.ts';
import { localCommand } from './local-command.ts';
import { mcpBeforeInit } from './mcp-before-init.ts';
import { mcpInContinuation } from './mcp-in-continuation.ts';
import { modelError } from './model-error.ts';
import { monitor } from './monitor.ts';
import { nestedOutlives } from './nested-outlives.ts';
import { nestedSubagent } from './nested-subagent.ts';
import { noCallbacks } from './no-callbacks.ts';
import { overBeforeResult } from './over-before-result.ts';
import { overlappingStreams } from './overlapping-streams.ts';
import { persistentMonitor } from './persistent-monitor.ts';
import { plainTurn } from './plain-turn.ts';
import { quietSubagent } from './quiet-subagent.ts';
import { resumedSubagent } from './resumed-subagent.ts';
import { scheduledWakeup } from './scheduled-wakeup.ts';
import { secondMessage } from './second-message.ts';
import { sessionEndHook } from './session-end-hook.ts';
import { severalSubagents } from './several-subagents.ts';
import { shell } from './shell.ts';
import { slowCallback } from './slow-callback.ts';
import { stdoutEnds } from './stdout-ends.ts';
import { stoppedShell } from './stopped-shell.ts';
import { stringPrompt } from './string-prompt.ts';
import { subagent } from './subagent.ts';
import { teammate } from './teammate.ts';
import { twoMessages } from './two-messages.ts';
import { unanswered } from './unanswered.ts';
import { wakeNeverComes } from './wake-never-comes.ts';
import { workflow } from './workflow.ts';
import type { Scenario } from './scenario.ts';

export type { Expectation, Scenario } from './scenario.ts';

/** In the order of the report. A new one is one file and one line here. */
export const scenarios: readonly Scenario[] = [
  subagent,
  severalSubagents,
  nestedSubagent,
  nestedOutlives,
  resumedSubagent,
  quietSubagent,
  stringPrompt,
  hooksOnly,
  mcpInContinuation,
  secondMessage,
  twoMessages,
  foldedMessages,
  contextMessage,
  localCommand,
  chain,
  overBeforeResult,
  wakeNeverComes,
  monitor,
  workflow,
  persistentMonitor,
  endlessShell,
  shell,
  stoppedShell,
  teammate,
  scheduledWakeup,
  heldWakeup,
  unanswered,
  cancelled,
  followUps,
  overlappingStreams,
  consumerBreaks,
  consumerReturns,
  consumerCloses,
  consumerAborts,
  sessionEndHook,
  cliDies,
  stdoutEnds,
  slowCallback,
  mcpBeforeInit,
  plainTurn,
  foregroundTasks,
  noCallbacks,
  modelError,
  laterError,
];

/**
 * The scenarios that a user means.
 * @param ids `S1` is S1 and all of its variants, `S1-several` that one
 * @returns in the order of the list, or the id that nothing has
 */
export function chooseScenarios(ids: readonly string[]): readonly Scenario[] | string {
  const means = (id: string, named: string): boolean => id === named || id.startsWith(`${named}-`);
  const wrong = ids.find((named) => !scenarios.some(({ id }) => means(id, named)));
  return wrong ?? scenarios.filter(({ id }) => ids.some((named) => means(id, named)));
}
