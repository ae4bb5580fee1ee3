import type { Scenario } from './scenario.ts';
import { heldForShell, untilHeld } from './while-held.ts';

export const cliDies = {
  id: 'S26',
  title: 'the CLI dies while input is held',
  ...heldForShell,
  actions: [{ at: 'result#1', afterMs: 300, does: 'interrupt' }],
  story: [...untilHeld, { exit: 1 }],
  expect: { ended: ['done', 'threw'], leaves: true },
} satisfies Scenario;
