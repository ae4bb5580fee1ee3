import type { Dialect } from './dialect.ts';

/** As 0.2.112 and 0.3.150: a task that ends during a turn gets no notification, an agent keeps the result back. */
export const edgesKept: Dialect = {
  id: 'edges-kept',
  since: '0.2.83',
  started: 'edge',
  updated: true,
  idleWaits: 'all',
  keepsResult: true,
  resumes: false,
};
