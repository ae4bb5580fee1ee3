import type { Scenario } from './scenario.ts';

export const hooksOnly = {
  id: 'S3',
  title: 'a hook denies what a subagent, and the turn after a shell, want to do',
  kinds: ['hooks'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { quiet: 200 },
    { ask: 'r1' },
    { end: 'A' },
    'wake',
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
