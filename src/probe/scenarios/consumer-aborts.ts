import type { Scenario } from './scenario.ts';
import { whileHeld } from './while-held.ts';

export const consumerAborts = {
  id: 'S20-abort',
  title: 'the consumer aborts while input is held',
  ...whileHeld,
  actions: [{ at: 'status#1', does: 'abort' }],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
