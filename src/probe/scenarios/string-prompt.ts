import type { Scenario } from './scenario.ts';

export const stringPrompt = {
  id: 'S2',
  title: 'a subagent outlives the turn of a string prompt',
  prompts: ['string'],
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
