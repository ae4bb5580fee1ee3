import type { Action } from '../../drive.ts';
import { say } from '../../messages-api.ts';
import { result, type Scenario, shellUntil } from '../scenario.ts';

const ways = {
  break: 'the consumer breaks out of its loop',
  return: 'return() is called',
  close: 'close() is called',
  abort: 'the abort controller is used',
  kill: 'the CLI is killed',
} as const;

/** How long a host may live on after the consumer has left. Stock's own timers take 5 s. */
const GONE_MS = 8000;

const leave = (way: keyof typeof ways): Scenario => ({
  id: `S20 ${way}`,
  title: `${ways[way]} while input is held`,
  kinds: ['canUseTool'],
  situation: () => {
    // A break takes effect at a frame: at the result itself.
    const action: Action = { on: result(), do: way, ...(way !== 'break' && { afterMs: 500 }) };
    return { script: { main: [shellUntil('never'), say('launched')] }, actions: [action] };
  },
  check: ({ timeline, endedAt }) => {
    const left = timeline.find(({ event, name }) => event === 'action' && name === way)?.t;
    const exit = timeline.find(({ event }) => event === 'exit')?.t;
    if (left === undefined || endedAt === undefined || exit === undefined) return ['the host never left'];
    const gone = Math.round(exit - left);
    return gone < GONE_MS ? [] : [`the host lived on for ${gone} ms`];
  },
});

export const leaving: Scenario[] = (Object.keys(ways) as (keyof typeof ways)[]).map(leave);
