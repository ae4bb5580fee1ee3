import type { Scenario } from './scenario.ts';
import { whileHeld } from './while-held.ts';

export const consumerBreaks = {
  id: 'S20-break',
  title: 'the consumer breaks out of its loop while input is held',
  ...whileHeld,
  actions: [{ at: 'status#1', does: 'break' }],
  expect: { ended: ['left'], leaves: true },
} satisfies Scenario;
