import type { Scenario } from '../scenario.ts';
import { asking, plain, plainString } from './p1-plain.ts';
import { foreground } from './p2-foreground.ts';
import { noCallbacks } from './p3-no-callbacks.ts';
import { maxTurns, modelError } from './p4-errors.ts';
import { hooksOnly, nestedAgent, several, stringPrompt, subagent } from './s01-subagent.ts';
import { mcpContinuation } from './s04-mcp.ts';
import { afterResult, folded, together } from './s05-messages.ts';
import { contextOnly, localCommand } from './s06-no-model-turn.ts';
import { agents, shells } from './s08-chain.ts';
import { lastCall, takenUp } from './s09-over-before.ts';
import { endlessShell } from './s12-endless-shell.ts';
import { shellWakes, stringPrompt as shellString, warmed } from './s13-shell.ts';
import { followUps } from './s19-stream-input.ts';
import { leaving } from './s20-leaving.ts';

/** Every situation, in the order of the table. */
export const scenarios: Scenario[] = [
  subagent,
  several,
  nestedAgent,
  stringPrompt,
  hooksOnly,
  mcpContinuation,
  afterResult,
  together,
  folded,
  contextOnly,
  localCommand,
  agents,
  shells,
  lastCall,
  takenUp,
  endlessShell,
  shellWakes,
  shellString,
  warmed,
  followUps,
  ...leaving,
  plain,
  plainString,
  asking,
  ...foreground,
  ...noCallbacks,
  modelError,
  maxTurns,
];
