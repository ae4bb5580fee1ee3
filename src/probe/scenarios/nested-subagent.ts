import type { Scenario } from './scenario.ts';

export const nestedSubagent = {
  id: 'S1-nested',
  title: 'a subagent starts a subagent, which ends first',
  prompts: ['iterable'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'agent' },
    { result: 'idle' },
    { launch: 'B', as: 'agent', by: 'A' },
    { quiet: 200 },
    { ask: 'r1' },
    { end: 'B', ownedBy: 'A' },
    { pause: 40 },
    { ask: 'r2' },
    { end: 'A' },
    'wake',
    { ask: 'r3' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
