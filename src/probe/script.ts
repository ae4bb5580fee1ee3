/** What the host of a driven run is told to do, as JSON. */

export type PromptStep =
  | { say: string; fields?: Record<string, unknown> }
  /** Goes on when the consumer has seen the frame with this label. */
  | { until: string }
  | { pause: number }
  /** Never ends. */
  | { park: true };

export interface Reply {
  does: 'allow' | 'deny' | 'throw' | 'never';
  afterMs?: number;
}

/** Done when the consumer has seen the frame `at` (its label), or `afterMs` later. */
export type HostAction = { at: string; afterMs?: number } & (
  | { does: 'break' | 'return' | 'throw' | 'close' | 'abort' | 'interrupt' | 'holdInput' | 'release' }
  | { does: 'stopTask'; task: string }
  | { does: 'streamInput'; prompt: PromptStep[] }
);

export interface HostScript {
  canUseTool?: Reply;
  /** Event -> what its one hook answers. */
  hooks?: Record<string, Reply>;
  /** Names of in-process MCP servers. */
  mcpServers?: string[];
  actions?: HostAction[];
}

/** The error of an action that the release has no method for. */
export const ABSENT = 'absent';

/** One run of the host. */
export interface HostPlan {
  /** The file to import `query` from. */
  bundle: string;
  standIn: string;
  record: string;
  /** A string, or the steps of an iterable. */
  prompt: string | PromptStep[];
  host: HostScript;
  /** More options for `query()`, plain data. */
  options: Record<string, unknown>;
  /** For the host and so for its CLI, while the run lasts. */
  env: Record<string, string>;
  /** For the CLI alone, through the option `env`. */
  cliEnv: Record<string, string>;
}

/** The argument that makes a host take one plan after the other from its parent. */
export const SERVE = '--serve';
