import type { Scenario } from './scenario.ts';

export const overlappingStreams = {
  id: 'S19-overlap',
  title: 'streamInput() is called while the prompt goes on',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  says: [{ say: 'One.' }, { until: 'result#2' }, { say: 'Three.' }],
  actions: [{ at: 'result#1', does: 'streamInput', prompt: [{ say: 'Two.' }] }],
  story: [
    { expect: 'user' },
    'turn',
    { result: 'idle' },
    { expect: 'user' },
    { quiet: 200 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    { expect: 'user' },
    { quiet: 200 },
    'turn',
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
