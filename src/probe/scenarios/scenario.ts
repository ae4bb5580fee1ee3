import type { Dialect } from '../dialects/index.ts';
import type { HostAction, PromptStep, Reply } from '../script.ts';
import type { Event, Kind, PromptKind } from '../story.ts';

/** A situation that a patched SDK must survive: what happens, who is asked, and what must come of it. */
export interface Scenario {
  /** `S1`, `S1-several`: `--scenario S1` means both. */
  id: string;
  title: string;
  story: readonly Event[];
  /** Else every kind but `none`. The first is the one that other circumstances are tried with. */
  kinds?: readonly Kind[];
  /** Else both. */
  prompts?: readonly PromptKind[];
  /** What an iterable prompt says, else one message. */
  says?: readonly PromptStep[];
  /** Where the situation can be at all. */
  dialects?: (dialect: Dialect) => boolean;
  /** What `canUseTool` answers, else it allows; what a hook answers, else it denies. */
  reply?: Reply;
  /** What the host does besides. */
  actions?: readonly HostAction[];
  /** For the host's process. */
  env?: Readonly<Record<string, string>>;
  /** The story answers `initialize` itself. */
  initialize?: 'step';
  /** The host's process must be able to leave by itself. */
  alone?: true;
  expect?: Expectation;
}

/** Else: every request is answered, input ends once all is over, the consumer's loop is done, nothing is warned of. */
export interface Expectation {
  /** Requests that come after the end of input by nature. */
  mayLose?: readonly string[];
  /** How the consumer's loop may end. */
  ended?: readonly ('done' | 'left' | 'threw')[];
  /** The hold ends at the ceiling, which is warned of once; the ceiling in ms. */
  ceilingMs?: number;
  /** Input ends because the host or the CLI has left: when does not matter. */
  leaves?: true;
  /** Input ends at the same frame as in stock, where stock loses nothing. */
  asStock?: true;
  /** How many ms after all is over input may end where no session state tells that it is; else 1000. */
  boundMs?: number;
}
