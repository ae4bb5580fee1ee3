/**
 * What happens in a scenario, told without the frames that a release tells it with. A dialect (`dialects/`) turns a
 * story into the steps of a timeline; a `Step` in a story goes into it as it is.
 */
import type { Step } from './timeline.ts';

export type TaskKind = 'agent' | 'shell' | 'workflow' | 'monitor' | 'teammate';

export type Event =
  /** A turn of the main thread begins. */
  | 'turn'
  /** A turn begins that takes up the news of a task; `running` before it, where the session was idle. */
  | 'wake'
  /** The session says that it is idle once more, without a turn. */
  | 'idle'
  /** From here on nothing is outstanding: the earliest right place to end input. */
  | 'over'
  /** A background task starts; `by`: a subagent starts it, which hears of its end. */
  | { launch: string; as: TaskKind; by?: string }
  /** A task in the foreground, from beginning to end; `ask`: with a request of its own. */
  | { foreground: string; as: TaskKind; ask?: string }
  /**
   * A background task ends. `late`: in a turn, too late for it to take the news up. `ownedBy`: its news go to that
   * subagent, and no turn begins.
   */
  | { end: string; status?: Status; late?: boolean; ownedBy?: string }
  /** A subagent that had ended runs again. */
  | { resume: string }
  /** A monitor has something to tell; a wake follows. */
  | { news: string }
  /** A turn ends. `queued`: something else is to be done at once, so that no `idle` is said. */
  | { result: 'idle' | 'queued' | 'error'; turns?: number }
  /** A request of the kind at hand. `open`: goes on before it is answered. */
  | { ask: string; open?: boolean }
  /** Time in which input must not end. Stock gets more, and the story goes on as soon as it has ended input. */
  | { quiet: number }
  | Step;

export type Status = 'completed' | 'failed' | 'stopped';

/** What a request can be, and what the host has for it. `none`: no callbacks at all, so nothing can be asked. */
export const kinds = ['canUseTool', 'hooks', 'mcp', 'none'] as const;
export type Kind = (typeof kinds)[number];

export const promptKinds = ['iterable', 'string'] as const;
export type PromptKind = (typeof promptKinds)[number];
