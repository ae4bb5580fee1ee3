import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const consumerReturns = {
  id: 'S20-return',
  title: 'the consumer calls return() while input is held',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  actions: [{ at: 'status#1', does: 'return' }],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { send: status() },
    { expectStdinEnd: true, withinMs: 5000 },
  ],
  expect: { ended: ['done'], leaves: true },
} satisfies Scenario;
