import type { Scenario } from './scenario.ts';

export const laterError = {
  id: 'P4-later',
  title: 'the turn after a task ends with an error',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B', status: 'failed' },
    'wake',
    { ask: 'r1' },
    { result: 'error' },
    'over',
  ],
  expect: { ended: ['done', 'threw'] },
} satisfies Scenario;
