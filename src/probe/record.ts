/** What the two sides of a run record, one JSON object a line, and what is made of it. */
import { appendFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Frame, Step } from './timeline.ts';

export type RunEvent =
  // The CLI:
  | { event: 'start'; pid: number }
  | { event: 'user'; message: unknown }
  | { event: 'asked'; subtype: string; request: Record<string, unknown> }
  | { event: 'sent'; label: string }
  | { event: 'served'; id: string; subtype: string; ok: boolean; response: unknown }
  | { event: 'lost'; id: string; subtype: string; when: 'unanswered' | 'after-end' }
  | { event: 'cancelled'; id: string; subtype: string }
  | { event: 'stray-response'; id: string }
  | { event: 'stdin-end'; after: string | null }
  | { event: 'stdin-expected'; met: boolean }
  | { event: 'unmet'; step: Step }
  | { event: 'note'; text: string }
  | { event: 'unreadable'; text: string }
  | { event: 'over' }
  | { event: 'signal'; name: string }
  | { event: 'exit'; code: number }
  // The host:
  | { event: 'started' }
  | { event: 'frame'; label: string; frame: Frame }
  | { event: 'call'; name: string }
  | { event: 'action'; does: string; ok: boolean; error?: string }
  | { event: 'warning'; code: string; message: string }
  | { event: 'uncaught'; error: string }
  | { event: 'ended'; how: 'done' | 'left' | 'threw'; error?: string };

/** `at`: milliseconds since the epoch, with fractions. */
export type LogEntry = RunEvent & { at: number };
export type Entry<K extends RunEvent['event']> = Extract<LogEntry, { event: K }>;

export function append(file: string, event: RunEvent): void {
  const at = performance.timeOrigin + performance.now();
  appendFileSync(file, `${JSON.stringify({ at, ...event })}\n`);
}

/** What has been recorded so far; a line may still be being written. */
export async function readRecord(file: string): Promise<LogEntry[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LogEntry);
}

/** What happened in one run, on both sides. */
export type DriveRecord = ReturnType<typeof summarize>;

/** What the records of the two sides do not tell. */
export interface HostOutcome {
  hung: boolean;
  /** With `lingerMs`: how long the host stayed after its query was over; undefined: longer than that. */
  hostLeftAfterMs: number | undefined;
}

export function summarize(log: LogEntry[], outcome: HostOutcome) {
  const of = picker(log.sort((a, b) => a.at - b.at));
  const [ended] = of('ended');
  return {
    ...outcome,
    /** Everything both sides recorded, by time. */
    log,
    /** What the consumer saw, in order, and its labels (`result#1`). */
    frames: of('frame').map(({ frame }) => frame),
    labels: of('frame').map(({ label }) => label),
    /** Requests of the CLI that the host answered, and those that died with "Stream closed". */
    served: of('served'),
    lost: of('lost').map(({ id, subtype, when }) => ({ id, subtype, when })),
    /** Label of what the CLI had sent last when stdin ended; null: nothing; undefined: stdin did not end. */
    stdinEndedAfter: of('stdin-end')[0]?.after,
    /** How the consumer's loop came to its end; undefined: it did not. */
    ended: ended?.how,
    error: ended?.error,
    /** Callbacks of the host that were called, `canUseTool Bash`, in order. */
    calls: of('call').map(({ name }) => name),
    actions: of('action').map(({ does, ok, error }) => ({ does, ok, ...(error !== undefined && { error }) })),
    warnings: of('warning'),
    /** Exceptions and rejections that nobody caught. */
    uncaught: of('uncaught').map(({ error }) => error),
    /** How the CLI left; undefined: it was still there when the run was over. */
    cliExit: of('exit')[0]?.code,
  };
}

/** Gives the entries of one kind. */
export const picker =
  (log: readonly LogEntry[]) =>
  <K extends RunEvent['event']>(event: K): Entry<K>[] =>
    log.filter((entry): entry is Entry<K> => entry.event === event);
