import type { Scenario } from './scenario.ts';

export const plainTurn = {
  id: 'P1',
  title: 'a plain turn with a request ends as in stock',
  story: [{ expect: 'user' }, 'turn', { ask: 'r1' }, { result: 'idle' }, 'over'],
  expect: { asStock: true },
} satisfies Scenario;
