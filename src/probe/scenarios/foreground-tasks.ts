import type { Scenario } from './scenario.ts';

export const foregroundTasks = {
  id: 'P2',
  title: 'a subagent and a shell in the foreground end as in stock',
  prompts: ['iterable'],
  story: [
    { expect: 'user' },
    'turn',
    { foreground: 'A', as: 'agent', ask: 'r1' },
    { foreground: 'B', as: 'shell' },
    { result: 'idle' },
    'over',
  ],
  expect: { asStock: true },
} satisfies Scenario;
