import type { Dialect } from './dialect.ts';

/** As 0.3.205: the set comes before the edges, and idle is said whatever is outstanding. */
export const setFirst: Dialect = {
  id: 'set-first',
  since: '0.3.203',
  started: 'edge',
  updated: true,
  set: 'first',
  idleWaits: 'none',
  keepsResult: false,
  resumes: false,
};
