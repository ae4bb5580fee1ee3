import type { Scenario } from './scenario.ts';

export const nestedOutlives = {
  id: 'S1-orphan',
  title: 'a subagent starts a subagent, which ends last',
  prompts: ['iterable'],
  // Before there were edges no frame says so; with a result kept back there is no end of input to test.
  dialects: ({ started, keepsResult }) => started !== 'none' && started !== 'flushed' && !keepsResult,
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { result: 'idle' },
    { launch: 'B', as: 'agent', by: 'A' },
    { end: 'A' },
    'wake',
    { result: 'idle' },
    { quiet: 200 },
    { ask: 'r1' },
    { end: 'B' },
    'wake',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
