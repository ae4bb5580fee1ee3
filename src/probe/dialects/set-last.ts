import type { Dialect } from './dialect.ts';

/** As 0.3.332: the set comes after the edges. */
export const setLast: Dialect = {
  id: 'set-last',
  since: '0.3.284',
  started: 'flagged',
  updated: true,
  set: 'last',
  idleWaits: 'agents',
  keepsResult: false,
  resumes: true,
};
