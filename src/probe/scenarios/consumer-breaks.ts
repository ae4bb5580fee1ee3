import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const consumerBreaks = {
  id: 'S20-break',
  title: 'the consumer breaks out of its loop while input is held',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  actions: [{ at: 'status#1', does: 'break' }],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { send: status() },
    { expectStdinEnd: true, withinMs: 5000 },
  ],
  expect: { ended: ['left'], leaves: true },
} satisfies Scenario;
