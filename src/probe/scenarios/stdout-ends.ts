import type { Scenario } from './scenario.ts';
import { heldForShell, untilHeld } from './while-held.ts';

export const stdoutEnds = {
  id: 'S26-stdout',
  title: "the CLI's output ends while input is held",
  ...heldForShell,
  story: [...untilHeld, { closeStdout: true }],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
