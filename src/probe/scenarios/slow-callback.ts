import type { Scenario } from './scenario.ts';

export const slowCallback = {
  id: 'S27',
  title: 'a callback takes longer than the ceiling, in the first turn and in a later one',
  kinds: ['canUseTool', 'hooks'],
  prompts: ['iterable'],
  reply: { does: 'deny', afterMs: 900 },
  env: { HOLDOPEN_CEILING_MS: '500' },
  story: [
    { expect: 'user' },
    'turn',
    { ask: 'r1' },
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { quiet: 150 },
    { end: 'B' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
