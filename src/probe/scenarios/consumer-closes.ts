import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const consumerCloses = {
  id: 'S20-close',
  title: 'the consumer calls close() while input is held',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  actions: [{ at: 'status#1', does: 'close' }],
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
