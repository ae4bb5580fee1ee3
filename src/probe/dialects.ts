import semver from 'semver';
import type { Family } from '../types.ts';

/** How a range of releases of the CLI reports what it does, as measured on some of them. */
export interface Dialect {
  id: string;
  /** The first release that spoke it. The next dialect's first release is its end. */
  since: string;
  /**
   * `task_started`: `none`, only launch marks tell; `flushed` just before the result, also of tasks long over; at the
   * launch (`edge`); there and saying whether it is in the background (`flagged`).
   */
  started: 'none' | 'flushed' | 'edge' | 'flagged';
  /** The set of background tasks, before or after the edges. */
  set?: 'first' | 'last';
  /** For which tasks session state stays `running`; undefined: no session state. */
  idleWaits?: 'all' | 'agents' | 'none';
  /** A result is kept back while a background agent is outstanding, and never comes. */
  keepsResult?: true;
  /** A subagent is told of its shell's end and runs again. */
  resumes?: true;
}

/** Whether a task's beginning is told when it begins, and its end by a `task_updated` before the notification. */
export const hasEdges = ({ started }: Dialect): boolean => started === 'edge' || started === 'flagged';

/** From the oldest to the newest. */
export const dialects: readonly Dialect[] = [
  // No frame tells of a launch but its tool_result.
  { id: 'launch-marks', since: '0.0.0', started: 'none' },
  // As 0.2.50: frames of tasks are queued and flushed at the end of the turn.
  { id: 'flushed', since: '0.2.45', started: 'flushed', keepsResult: true },
  // As 0.2.112 and 0.3.150: a task that ends during a turn gets no notification, an agent keeps the result back.
  { id: 'edges-kept', since: '0.2.83', started: 'edge', idleWaits: 'all', keepsResult: true },
  // The result comes at the end of its turn.
  { id: 'edges', since: '0.3.176', started: 'edge', idleWaits: 'all' },
  // As 0.3.205: the set comes before the edges, and idle is said whatever is outstanding.
  { id: 'set-first', since: '0.3.203', started: 'edge', set: 'first', idleWaits: 'none' },
  // As 0.3.283: idle waits for agents and workflows, and launches say whether they are in the background.
  {
    id: 'set-first-flagged',
    since: '0.3.238',
    started: 'flagged',
    set: 'first',
    idleWaits: 'agents',
    resumes: true,
  },
  // As 0.3.332: the set comes after the edges.
  { id: 'set-last', since: '0.3.284', started: 'flagged', set: 'last', idleWaits: 'agents', resumes: true },
];

/** What CLIs of the time spoke in which SDKs of a family were released. */
const met: Record<Family, readonly string[]> = {
  'timed-race': ['launch-marks'],
  inactivity: ['launch-marks'],
  'first-result': ['launch-marks', 'flushed', 'edges-kept', 'edges', 'set-first', 'set-first-flagged'],
  'run-end': ['set-last'],
};

/**
 * The dialects that a bundle meets.
 * @param family what the bundle's code is
 * @param version of the copy, whose CLI comes with it; null: every dialect that the family ever met
 */
export function dialectsOf(family: Family, version: string | null): readonly Dialect[] {
  const known = dialects.filter(({ id }) => met[family].includes(id));
  const release = semver.coerce(version);
  const spoken = release && dialects.findLast(({ since }) => semver.gte(release, since));
  // A version that does not fit the code says nothing: a fork, or a host's own package.
  return spoken && known.includes(spoken) ? [spoken] : known;
}
