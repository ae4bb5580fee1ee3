import type { HostEntry } from './script.ts';
import type { Frame, RecordEntry } from './timeline.ts';

/** What happened in one run, on both sides. */
export interface DriveRecord {
  /** What the consumer saw, in order, and its labels (`result#1`). */
  frames: Frame[];
  labels: string[];
  /** Requests of the CLI that the host answered, and those that died with "Stream closed". */
  served: { id: string; subtype: string; ok: boolean; response: unknown }[];
  lost: { id: string; subtype: string; when: 'unanswered' | 'after-end' }[];
  /** Label of what the CLI had sent last when stdin ended; null: nothing; undefined: stdin did not end. */
  stdinEndedAfter: string | null | undefined;
  /** Milliseconds between that and the end of stdin. */
  stdinEndDelayMs: number | undefined;
  /** How the consumer's loop came to its end; undefined: it did not. */
  ended: 'done' | 'left' | 'threw' | undefined;
  error: string | undefined;
  hung: boolean;
  /** Callbacks of the host that were called, `canUseTool Bash`, in order. */
  calls: string[];
  actions: { does: string; ok: boolean; error?: string }[];
  warnings: { code: string; message: string }[];
  /** Exceptions and rejections that nobody caught. */
  uncaught: string[];
  /** How the CLI left; undefined: it was still there when the run was over. */
  cliExit: number | undefined;
  /** With `lingerMs`: how long the host stayed after its query was over; undefined: longer than that. */
  hostLeftAfterMs: number | undefined;
  /** What the host wrote to stdout and stderr. */
  output: string;
  /** Everything both sides recorded, by time. */
  log: LogEntry[];
}

export type LogEntry = ({ side: 'cli' } & RecordEntry) | ({ side: 'host' } & HostEntry);

/** What the records of the two sides do not tell. */
export interface HostOutcome {
  hung: boolean;
  leftAfterMs: number | undefined;
  output: string;
}

export function summarize(cli: RecordEntry[], host: HostEntry[], outcome: HostOutcome): DriveRecord {
  const ofCli = picker(cli);
  const ofHost = picker(host);
  const [stdinEnd] = ofCli('stdin-end');
  const sentBefore = ofCli('sent').findLast((entry) => stdinEnd !== undefined && entry.at <= stdinEnd.at);
  const [ended] = ofHost('ended');
  const log: LogEntry[] = [
    ...cli.map((entry) => ({ side: 'cli' as const, ...entry })),
    ...host.map((entry) => ({ side: 'host' as const, ...entry })),
  ];
  return {
    frames: ofHost('frame').map(({ frame }) => frame),
    labels: ofHost('frame').map(({ label }) => label),
    served: ofCli('served').map(({ id, subtype, ok, response }) => ({ id, subtype, ok, response })),
    lost: ofCli('lost').map(({ id, subtype, when }) => ({ id, subtype, when })),
    stdinEndedAfter: stdinEnd?.after,
    stdinEndDelayMs: stdinEnd && sentBefore && stdinEnd.at - sentBefore.at,
    ended: ended?.how,
    error: ended?.error,
    hung: outcome.hung,
    calls: ofHost('call').map(({ name }) => name),
    actions: ofHost('action').map(({ does, ok, error }) => ({
      does,
      ok,
      ...(error === undefined ? {} : { error }),
    })),
    warnings: ofHost('warning').map(({ code, message }) => ({ code, message })),
    uncaught: ofHost('uncaught').map(({ error }) => error),
    cliExit: ofCli('exit')[0]?.code,
    hostLeftAfterMs: outcome.leftAfterMs,
    output: outcome.output,
    log: log.sort((a, b) => a.at - b.at),
  };
}

/** Gives the entries of one kind. */
export function picker<E extends { event: string }>(entries: readonly E[]) {
  return <K extends E['event']>(event: K) =>
    entries.filter((entry): entry is Extract<E, { event: K }> => entry.event === event);
}
