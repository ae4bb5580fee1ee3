/** What the host of a driven run is told to do, as JSON, and what it records. */
import type { Frame } from './timeline.ts';

export type PromptStep =
  | { say: string; fields?: Record<string, unknown> }
  /** Goes on when the consumer has seen the frame with this label. */
  | { until: string }
  | { pause: number }
  | { throw: string }
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

/** One line of the host's record; `at` as in the stand-in's. */
export type HostEntry = { at: number } & (
  | { event: 'started' | 'prompts-over' }
  | { event: 'frame'; label: string; frame: Frame }
  | { event: 'call'; name: string }
  | { event: 'action'; does: string; ok: boolean; error?: string }
  | { event: 'warning'; code: string; message: string }
  | { event: 'uncaught'; error: string }
  | { event: 'ended'; how: 'done' | 'left' | 'threw'; error?: string }
);

/** One run of the host. */
export interface HostPlan {
  bundle: string;
  standIn: string;
  record: string;
  prompt: string | PromptStep[];
  host: HostScript;
  options: Record<string, unknown>;
  /** For the host and so for its CLI, while the run lasts. */
  env: Record<string, string>;
  cliEnv: Record<string, string>;
}

/** The argument that makes a host take one plan after the other from its parent. */
export const SERVE = '--serve';
