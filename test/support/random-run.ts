/**
 * A CLI that does legal things in a random order and knows itself what is outstanding: the reference that the gate is
 * held against. Everything comes from one seed.
 */
import { taskNotification, taskUpdated } from '../../src/probe/timeline.ts';
import { type Asked, Cli, DIALECTS, type Prompt } from './gate-host.ts';

type Kind = 'agent' | 'shell' | 'workflow' | 'monitor';

/** Small and fast, and the same on every machine (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** How late input may end once all is over, in ms: frames tell, time tells, or only the ceiling does. */
const BOUNDS = { told: 50, untold: 1000, unsure: 3100 };

export class RandomRun {
  /** What was done, to be read where it went wrong. */
  readonly story: string[] = [];
  readonly #cli: Cli;
  readonly #random: () => number;
  readonly #reports: boolean;
  readonly #live = new Map<string, Kind>();
  readonly #open = new Map<string, Asked>();
  readonly #streams: Prompt[] = [];
  #turn = false;
  /** News that start a turn each. */
  #wakes = 0;
  /** Messages that get a turn each. */
  #messages = 0;
  #named = 0;
  #background = false;
  /** A message went into a running turn, or news that could have started a turn did not. */
  #bound: keyof typeof BOUNDS;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
    const dialect = this.#pick(DIALECTS);
    this.#reports = dialect.state !== undefined;
    this.#bound = this.#reports ? 'told' : 'untold';
    this.#cli = new Cli(dialect, { prompt: this.#chance(0.3) ? 'string' : 'iterable' });
    this.story.push(`seed ${seed}, ${dialect.name}`);
  }

  /** Plays the run. Throws where input ends too early, too late, or more than once. */
  async play(): Promise<void> {
    this.#begin(this.#gap(30));
    const steps = 3 + Math.floor(this.#random() * 14);
    for (let step = 0; step < steps; step += 1) {
      await (this.#turn ? this.#inTurn() : this.#betweenTurns());
      this.#mustHold();
    }
    await this.#bringToEnd();
    const { session } = this.#cli;
    session.advance(this.#background || this.#bound === 'unsure' ? BOUNDS[this.#bound] : BOUNDS.untold);
    if (!session.ended)
      throw this.#failure(`input had not ended ${BOUNDS[this.#bound]} ms after all was over`);
    if (session.ends.length > 1) throw this.#failure('input ended more than once');
    const { timers, listeners } = session.leftovers;
    if (timers + listeners > 0) throw this.#failure('timers or listeners are left');
  }

  async #inTurn(): Promise<void> {
    const what = this.#random();
    if (what < 0.3) this.#launch();
    else if (what < 0.4) this.#foreground();
    else if (what < 0.6) await this.#ask();
    else if (what < 0.7) this.#finishInTurn();
    else if (what < 0.76) this.#message();
    else if (what < 0.8) await this.#answer();
    else this.#result();
  }

  async #betweenTurns(): Promise<void> {
    if (this.#messages > 0) return this.#nextMessage();
    if (this.#wakes > 0) return this.#wake();
    // All is over: input may have ended, and nothing legal can come but what the host does.
    if (this.#over()) return;
    const what = this.#random();
    if (what < 0.35) this.#finish();
    else if (what < 0.5) this.#pass(this.#random() * 20_000);
    else if (what < 0.65) await this.#ask();
    else if (what < 0.75) this.#message();
    else if (what < 0.8) this.#news();
    else if (what < 0.85) this.#stop();
    else await this.#answer();
  }

  #begin(gap: number): void {
    this.#turn = true;
    this.#note('turn');
    this.#cli.turn(gap);
  }

  #launch(): void {
    const kind = this.#pick<Kind>(['agent', 'shell', 'workflow', 'monitor']);
    // Without a launch mark of their own nothing tells of a monitor; it starts as a shell.
    const id = this.#name();
    this.#note(`launch ${kind} ${id}`);
    this.#cli.launch(id, kind === 'monitor' && !this.#cli.dialect.set ? 'shell' : kind);
    this.#live.set(id, kind);
    this.#background = true;
  }

  #foreground(): void {
    const id = this.#name();
    this.#note(`foreground ${id}`);
    this.#cli.foreground(id, this.#pick<'agent' | 'shell'>(['agent', 'shell']));
  }

  async #ask(): Promise<void> {
    if (!this.#turn && this.#live.size === 0) return;
    const id = `r${this.#name()}`;
    this.#note(`ask ${id}`);
    const asked = this.#cli.ask(id);
    this.#open.set(id, asked);
    this.#mustHold();
    if (this.#chance(0.3)) return;
    this.#pass(this.#random() * 3000);
    await this.#answer(id);
  }

  async #answer(id = [...this.#open.keys()][0]): Promise<void> {
    const asked = id === undefined ? undefined : this.#open.get(id);
    if (!asked || id === undefined) return;
    this.#note(`answer ${id}`);
    this.#open.delete(id);
    await asked.answer();
  }

  /** The turn takes the news up itself, or they start the next one. */
  #finishInTurn(): void {
    const id = this.#someTask();
    if (id === undefined) return;
    const absorbed = this.#chance(0.5);
    this.#note(`finish ${id} in the turn, ${absorbed ? 'absorbed' : 'a turn follows'}`);
    this.#terminal(id, this.#pick(['completed', 'failed'] as const), true);
    if (!absorbed) this.#wakes += 1;
    else if (!this.#reports) this.#bound = 'unsure';
  }

  #finish(): void {
    const id = this.#someTask();
    if (id === undefined) return;
    this.#note(`finish ${id}`);
    this.#terminal(id, this.#pick(['completed', 'failed'] as const), false);
    this.#wakes += 1;
  }

  /** Every terminal frame may come twice. */
  #terminal(id: string, status: 'completed' | 'failed' | 'stopped', inTurn: boolean): void {
    this.#live.delete(id);
    this.#cli.finish(id, { status, inTurn });
    if (!this.#chance(0.2)) return;
    this.#note(`${id} once more`);
    const again = status === 'stopped' ? 'killed' : status;
    if (this.#cli.dialect.updated) this.#cli.send(taskUpdated(id, { status: again }));
    if (status !== 'stopped') this.#cli.send(taskNotification(id, status));
  }

  /** A shell that is stopped wakes nobody; the session says once more that it is idle. */
  #stop(): void {
    const shells = [...this.#live].flatMap(([id, kind]) => (kind === 'shell' ? [id] : []));
    const [id] = shells;
    if (id === undefined) return;
    this.#note(`stop ${id}`);
    this.#cli.session.stop(id);
    this.#terminal(id, 'stopped', false);
    const waiting = [...this.#live.values()].some((kind) => this.#idleWaitsFor(kind));
    if (!this.#reports || waiting) return;
    this.#pass(85);
    this.#cli.idle();
  }

  #news(): void {
    const [monitor] = [...this.#live].find(([, kind]) => kind === 'monitor') ?? [];
    if (monitor === undefined || this.#cli.dialect.set !== 'first') return;
    this.#note(`news of ${monitor}`);
    this.#cli.send({ ...taskNotification(monitor), status: undefined });
    this.#wakes += 1;
  }

  /** The host says something through a stream of its own, which ends now or later. */
  #message(): void {
    const folds = this.#turn && this.#chance(0.5);
    this.#note(folds ? 'message, taken into the turn' : 'message');
    const stream = this.#cli.session.prompt(1);
    if (this.#chance(0.5)) stream.end();
    else this.#streams.push(stream);
    if (!folds) this.#messages += 1;
    else if (!this.#reports) this.#bound = 'unsure';
  }

  #result(): void {
    const queued = this.#wakes + this.#messages > 0;
    this.#note(queued ? 'result, more is queued' : 'result');
    this.#turn = false;
    this.#cli.result({ queued });
  }

  #wake(): void {
    this.#wakes -= 1;
    this.#begin(this.#gap(this.#reports ? 124 : 500));
  }

  #nextMessage(): void {
    this.#messages -= 1;
    this.#begin(this.#gap(this.#reports ? 124 : 500));
  }

  async #bringToEnd(): Promise<void> {
    for (const stream of this.#streams.splice(0)) stream.end();
    this.#mustHold();
    while (!this.#over()) {
      if (this.#turn) this.#result();
      else if (this.#messages > 0) this.#nextMessage();
      else if (this.#wakes > 0) this.#wake();
      else if (this.#open.size > 0) await this.#answer();
      else this.#finish();
      this.#mustHold();
    }
    this.#note('over');
  }

  #over(): boolean {
    const { size } = this.#live;
    return !this.#turn && this.#wakes + this.#messages + size + this.#open.size + this.#streams.length === 0;
  }

  #mustHold(): void {
    if (this.#cli.session.ended && !this.#over()) throw this.#failure('input ended too early');
  }

  #idleWaitsFor(kind: Kind): boolean {
    const { idleWaits } = this.#cli.dialect;
    return idleWaits === 'all' || (idleWaits === 'agents' && (kind === 'agent' || kind === 'workflow'));
  }

  #pass(ms: number): void {
    this.#cli.session.advance(ms);
    this.#mustHold();
  }

  #gap(most: number): number {
    return this.#random() * most;
  }

  #someTask(): string | undefined {
    return this.#live.size === 0 ? undefined : this.#pick([...this.#live.keys()]);
  }

  #name(): string {
    this.#named += 1;
    return `T${this.#named}`;
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #note(what: string): void {
    this.story.push(`${Math.round(this.#cli.session.host.now())}  ${what}`);
  }

  #failure(what: string): Error {
    return new Error([what, ...this.story, ...this.#cli.session.host.lines].join('\n  '));
  }
}
