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

const leave = (way: keyof typeof ways): Scenario => ({
  id: `S20 ${way}`,
  title: `${ways[way]} while input is held`,
  kinds: ['canUseTool'],
  situation: () => {
    // A break takes effect at a frame: at the result itself.
    const action: Action = { on: result(), do: way, ...(way !== 'break' && { afterMs: 500 }) };
    return { script: { main: [shellUntil('never'), say('launched')] }, actions: [action] };
  },
  leaves: true,
});

export const leaving: Scenario[] = (Object.keys(ways) as (keyof typeof ways)[]).map(leave);
