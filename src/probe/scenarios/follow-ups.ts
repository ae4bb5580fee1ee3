import type { Scenario } from './scenario.ts';

export const followUps = {
  id: 'S19',
  title: 'follow-ups come through streamInput() while a shell runs',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  actions: [
    { at: 'result#1', does: 'streamInput', prompt: [{ say: 'Two.' }] },
    { at: 'result#2', does: 'streamInput', prompt: [{ say: 'Three.' }] },
  ],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { expect: 'user' },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    { expect: 'user' },
    'turn',
    { ask: 'r2' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'B' },
    'wake',
    { ask: 'r3' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
