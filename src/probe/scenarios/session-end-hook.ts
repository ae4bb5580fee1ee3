import { hookCallback } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const sessionEndHook = {
  id: 'S22',
  title: 'a hook at shutdown comes after the end of input, and nothing waits for it',
  kinds: ['hooks'],
  story: [
    { expect: 'user' },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
    { expectStdinEnd: true, withinMs: 8000 },
    hookCallback('h1', 'SessionEnd'),
  ],
  expect: { asStock: true, mayLose: ['h1'] },
} satisfies Scenario;
