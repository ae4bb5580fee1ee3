import type { Scenario } from './scenario.ts';
import { whileHeld } from './while-held.ts';

export const consumerCloses = {
  id: 'S20-close',
  title: 'the consumer calls close() while input is held',
  ...whileHeld,
  actions: [{ at: 'status#1', does: 'close' }],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
