import type { Dialect } from './dialect.ts';

/** The same from 0.3.176 on, where the result comes at the end of its turn. */
export const edges: Dialect = {
  id: 'edges',
  since: '0.3.176',
  started: 'edge',
  updated: true,
  idleWaits: 'all',
  keepsResult: false,
  resumes: false,
};
