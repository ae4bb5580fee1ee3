import type { Scenario } from './scenario.ts';

export const secondMessage = {
  id: 'S5',
  title: 'a second message is written after the first result',
  prompts: ['iterable'],
  says: [{ say: 'One.' }, { until: 'result#1' }, { say: 'Two.' }],
  story: [
    { expect: 'user' },
    'turn',
    { result: 'idle' },
    { expect: 'user' },
    { quiet: 200 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
