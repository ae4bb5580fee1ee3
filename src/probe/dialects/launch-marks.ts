import type { Dialect } from './dialect.ts';

/** No frame tells of a launch but its tool_result. */
export const launchMarks: Dialect = {
  id: 'launch-marks',
  since: '0.0.0',
  started: 'none',
  updated: false,
  keepsResult: false,
  resumes: false,
};
