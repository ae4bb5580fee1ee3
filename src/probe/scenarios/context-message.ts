import type { Scenario } from './scenario.ts';

export const contextMessage = {
  id: 'S6',
  title: 'a message without a query gives a result without a turn',
  prompts: ['iterable'],
  says: [{ say: 'Context.', fields: { shouldQuery: false } }, { say: 'Go.' }],
  // Older ones ignore the field.
  dialects: ({ started }) => started !== 'none' && started !== 'flushed',
  story: [
    { expect: 'user', count: 2 },
    'turn',
    { result: 'queued', turns: 0 },
    { quiet: 60 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
