import type { Dialect } from './dialect.ts';

/** As 0.2.50: frames of tasks are queued and flushed at the end of the turn. */
export const flushed: Dialect = {
  id: 'flushed',
  since: '0.2.45',
  started: 'flushed',
  updated: false,
  keepsResult: true,
  resumes: false,
};
