import type { Scenario } from './scenario.ts';
import { whileHeld } from './while-held.ts';

export const consumerReturns = {
  id: 'S20-return',
  title: 'the consumer calls return() while input is held',
  ...whileHeld,
  actions: [{ at: 'status#1', does: 'return' }],
  expect: { ended: ['done'], leaves: true },
} satisfies Scenario;
