import type { Scenario } from './scenario.ts';

export const noCallbacks = {
  id: 'P3',
  title: 'without callbacks input ends as in stock, whatever is outstanding',
  kinds: ['none'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B' },
    'wake',
    { result: 'idle' },
  ],
  expect: { asStock: true },
} satisfies Scenario;
