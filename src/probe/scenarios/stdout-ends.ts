import type { Scenario } from './scenario.ts';

export const stdoutEnds = {
  id: 'S26-stdout',
  title: "the CLI's output ends while input is held",
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { closeStdout: true },
  ],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
