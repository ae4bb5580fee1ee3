import type { Scenario } from './scenario.ts';

export const quietSubagent = {
  id: 'S1-quiet',
  title: 'a subagent that shows nothing for seconds asks at last',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { result: 'idle' },
    { quiet: 3500 },
    { ask: 'r1' },
    { end: 'A' },
    'wake',
    { quiet: 1200 },
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
