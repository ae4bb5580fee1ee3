import type { Scenario } from './scenario.ts';

export const wakeNeverComes = {
  id: 'S9-no-wake',
  title: 'a task is over before the result, and no turn comes of it',
  kinds: ['canUseTool', 'hooks'],
  story: [
    { expect: 'user' },
    'turn',
    { ask: 'r1' },
    { launch: 'A', as: 'agent' },
    { pause: 30 },
    { end: 'A' },
    { result: 'idle' },
    'over',
  ],
  // Where a notification comes behind the result, a turn is to be expected for longer.
  expect: { boundMs: 3000 },
} satisfies Scenario;
