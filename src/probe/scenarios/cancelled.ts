import type { Scenario } from './scenario.ts';

export const cancelled = {
  id: 'S17-cancelled',
  title: 'the CLI takes a request back that the host never answers',
  kinds: ['canUseTool', 'hooks'],
  prompts: ['iterable'],
  reply: { does: 'never' },
  story: [
    { expect: 'user' },
    'turn',
    { ask: 'r1', open: true },
    { result: 'idle' },
    { quiet: 300 },
    { cancel: 'r1' },
    { note: 'over' },
  ],
  expect: { mayLose: ['r1'] },
} satisfies Scenario;
