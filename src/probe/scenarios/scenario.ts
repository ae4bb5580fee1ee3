import type { Dialect } from '../dialects.ts';
import type { HostAction, PromptStep, Reply } from '../script.ts';
import type { Step } from '../timeline.ts';

export type TaskKind = 'agent' | 'shell' | 'workflow' | 'monitor' | 'teammate';

/**
 * What happens in a scenario, told without the frames that a release tells it with. A dialect turns a story into the
 * steps of a timeline; a `Step` in a story goes into it as it is.
 */
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
  | { end: string; status?: 'completed' | 'failed' | 'stopped'; late?: boolean; ownedBy?: string }
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

/** What a request can be, and what the host has for it. `none`: no callbacks at all, so nothing can be asked. */
export const kinds = ['canUseTool', 'hooks', 'mcp', 'none'] as const;
export type Kind = (typeof kinds)[number];

export const promptKinds = ['iterable', 'string'] as const;
export type PromptKind = (typeof promptKinds)[number];

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

/** A part of a story, so that it can be told in lines. */
export type Phase = Event | readonly Phase[];

/** A scenario in the table of its theme, where its id is the key. */
export type Row = Omit<Scenario, 'id' | 'story'> & { story: readonly Phase[] };
export type Table = Readonly<Record<string, Row>>;

/** With the callback and the prompt that are met most, where others would show nothing else. */
export const oneWay = { kinds: ['canUseTool'], prompts: ['iterable'] } satisfies Partial<Row>;

/** A turn, with what happens in it. */
export const turn = (...during: Event[]): Event[] => ['turn', ...during, { result: 'idle' }];
/** The turn that takes up the news of a task. */
export const wake = (...during: Event[]): Event[] => ['wake', ...during, { result: 'idle' }];
/** The next message comes, and its turn. */
export const asked = (...during: Event[]): Event[] => [{ expect: 'user' }, ...turn(...during)];
/** Some time later a task ends, and the turn comes that takes its news up. */
export const ended = (id: string, ...during: Event[]): Event[] => [
  { quiet: 200 },
  { end: id },
  ...wake(...during),
];

export const agent = (id: string): Event => ({ launch: id, as: 'agent' });
export const shell = (id: string): Event => ({ launch: id, as: 'shell' });
