import type { Frame } from './frames.ts';

/** What the gate needs from its surroundings: the query (`gate/attach.ts`), or a test. */
export interface Host {
  /** Whether the query has anything that uses the control channel. */
  needs(): boolean;
  /** Whether the query is (or has become) one for a string prompt, which is not written by `streamInput`. */
  single(): boolean;
  /** Whether the query still has that in-process MCP server: nobody waits for an answer of one that is gone. */
  serves(server: string): boolean;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Calls back once after `ms`; never keeps the process alive. Returns its cancellation. */
  timer(ms: number, callback: () => void): () => void;
  env(name: string): string | undefined;
  /** Watches what ends a hold from outside (abort, end of stdout). Returns the removal of the listeners. */
  watch(release: (cause: string) => void): () => void;
  /** Whether the gate itself asked the CLI for session state, so that the consumer must not see it. */
  asked(): boolean;
  warn(code: string, message: string): void;
  debug(line: string): void;
}

export interface Gate {
  /** Sees one frame before the SDK does. True: the consumer did not ask for this frame, drop it. */
  frame(frame: Frame): boolean;
  /** A call of `streamInput` begins; the returned function says that it is over, however it ended. */
  open(): () => void;
  /** A prompt message is about to be written. */
  input(): void;
  /** The handling of an inbound control request; hands its promise through. */
  request<T>(frame: Frame, handling: T): T;
  /** The host's request to stop a task, handed through; that it succeeds is all that 0.2.50 reports of the end. */
  stop<T>(id: unknown, request: T): T;
  /** The SDK wants to end input. `over`: the call of `streamInput` whose tail this is. */
  end(site: string, run: () => unknown, over?: () => void): void;
  /** The query is cleaned up, or its consumer has left: a hold ends at once, and none begins any more. */
  close(cause: string): void;
  /** Holds input until the returned function is called. */
  hold(): () => void;
}
