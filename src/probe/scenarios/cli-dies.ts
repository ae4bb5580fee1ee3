import type { Scenario } from './scenario.ts';

export const cliDies = {
  id: 'S26',
  title: 'the CLI dies while input is held',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  actions: [{ at: 'result#1', afterMs: 300, does: 'interrupt' }],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { exit: 1 },
  ],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
