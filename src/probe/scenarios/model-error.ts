import type { Scenario } from './scenario.ts';

export const modelError = {
  id: 'P4',
  title: 'a turn that ends with an error ends as in stock',
  kinds: ['canUseTool'],
  story: [{ expect: 'user' }, 'turn', { ask: 'r1' }, { result: 'error' }, 'over'],
  expect: { asStock: true, ended: ['done', 'threw'] },
} satisfies Scenario;
