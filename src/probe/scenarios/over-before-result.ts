import type { Scenario } from './scenario.ts';

export const overBeforeResult = {
  id: 'S9',
  title: 'a task is over before the result, its turn comes after it',
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'shell' },
    { pause: 30 },
    { end: 'A', late: true },
    { result: 'queued' },
    { quiet: 90 },
    'wake',
    { quiet: 200 },
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
