import type { Scenario } from './scenario.ts';

export const chain = {
  id: 'S8',
  title: 'the turn after a subagent starts a shell, whose end wakes the model again',
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'A' },
    'wake',
    { launch: 'B', as: 'shell' },
    { ask: 'r1' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
