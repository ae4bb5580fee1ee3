import type { Scenario } from './scenario.ts';

export const shell = {
  id: 'S13',
  title: 'the end of a shell wakes the model, which asks',
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B' },
    'wake',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
