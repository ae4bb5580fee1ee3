import type { Scenario } from './scenario.ts';

export const subagent = {
  id: 'S1',
  title: 'a subagent outlives the turn and asks',
  prompts: ['iterable'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { result: 'idle' },
    { quiet: 200 },
    { ask: 'r1' },
    { end: 'A' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
