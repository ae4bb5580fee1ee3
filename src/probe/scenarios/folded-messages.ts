import type { Scenario } from './scenario.ts';

export const foldedMessages = {
  id: 'S5-folded',
  title: 'two messages are folded into one turn',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  says: [{ say: 'One.' }, { until: 'assistant#1' }, { say: 'Two.' }],
  story: [
    { expect: 'user' },
    'turn',
    { expect: 'user' },
    { ask: 'r1' },
    { result: 'idle', turns: 2 },
    'over',
  ],
  // Nothing tells that no result of its own will come.
  expect: { boundMs: 1000 },
} satisfies Scenario;
