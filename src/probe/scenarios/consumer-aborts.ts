import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const consumerAborts = {
  id: 'S20-abort',
  title: 'the consumer aborts while input is held',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  actions: [{ at: 'status#1', does: 'abort' }],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { send: status() },
    { expectStdinEnd: true, withinMs: 5000 },
  ],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
