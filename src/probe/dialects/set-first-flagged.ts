import type { Dialect } from './dialect.ts';

/** As 0.3.283: idle waits for agents and workflows, and launches say whether they are in the background. */
export const setFirstFlagged: Dialect = {
  id: 'set-first-flagged',
  since: '0.3.238',
  started: 'flagged',
  updated: true,
  set: 'first',
  idleWaits: 'agents',
  keepsResult: false,
  resumes: true,
};
