import type { Scenario } from './scenario.ts';

export const monitor = {
  id: 'S11',
  title: 'events of a monitor start turns, and so does its end',
  prompts: ['iterable'],
  dialects: ({ started }) => started !== 'none' && started !== 'flushed',
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'M', as: 'monitor' },
    { result: 'idle' },
    { quiet: 200 },
    { news: 'M' },
    'wake',
    { ask: 'r1' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'M' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
