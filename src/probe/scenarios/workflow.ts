import type { Scenario } from './scenario.ts';

export const workflow = {
  id: 'S11-workflow',
  title: 'a workflow outlives the turn and asks',
  prompts: ['iterable'],
  dialects: ({ set }) => set !== undefined,
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'W', as: 'workflow' },
    { result: 'idle' },
    { quiet: 200 },
    { ask: 'r1' },
    { end: 'W' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
