// What two runs of the same script have in common: kinds of frames, each thread in its own order.
import type { Entry, Frame, Run } from './drive.ts';

/** Sent now and then while something works: how many depends on the machine. */
const PACED = /^(task_progress|tool_progress|api_retry|status|stream_event)$/;

export const kindOf = ({ type, subtype }: Frame): string =>
  subtype === undefined ? type : `${type}/${subtype}`;

/**
 * The kinds of frames up to and with the nth result (all, without a number), by thread. Threads run side by side,
 * so only the order within each is the same from run to run.
 */
export function lanes({ frames }: Pick<Run, 'frames'>, results = Infinity): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  let left = results;
  for (const frame of frames) {
    if (left === 0) break;
    if (frame.type === 'result') left -= 1;
    if (PACED.test(frame.type) || PACED.test(frame.subtype ?? '')) continue;
    (found[laneOf(frame)] ??= []).push(kindOf(frame));
  }
  return found;
}

function laneOf(frame: Frame): string {
  if (typeof frame.parent_tool_use_id === 'string') return 'subagent';
  return frame.type === 'system' && /task/.test(frame.subtype ?? '') ? 'tasks' : 'main';
}

/** A main-thread `result`. */
export const isResult = ({ frame }: Entry): boolean => frame?.type === 'result';

/** A subagent has a tool's answer. */
export const isSubagentAnswer = ({ frame }: Entry): boolean =>
  frame?.type === 'user' && typeof frame.parent_tool_use_id === 'string';
