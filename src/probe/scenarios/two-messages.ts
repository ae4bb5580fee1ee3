import type { Scenario } from './scenario.ts';

export const twoMessages = {
  id: 'S5-two',
  title: 'two messages are written at once and get a turn each',
  prompts: ['iterable'],
  says: [{ say: 'One.' }, { say: 'Two.' }],
  story: [
    { expect: 'user', count: 2 },
    'turn',
    { result: 'queued' },
    { quiet: 60 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
