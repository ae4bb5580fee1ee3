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
  /** `task_updated` before the notification. */
  updated: boolean;
  /** The set of background tasks, before or after the two. */
  set?: 'first' | 'last';
  /** For which tasks session state stays `running`; undefined: no session state. */
  idleWaits?: 'all' | 'agents' | 'none';
  /** A result is kept back while a background agent is outstanding, and never comes. */
  keepsResult: boolean;
  /** A subagent is told of its shell's end and runs again. */
  resumes: boolean;
}
