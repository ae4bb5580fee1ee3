/** What a `HoldopenError` is made of. */
export interface HoldopenErrorParts {
  /** Stable, kebab-case; for programs. */
  code: string;
  /** What could not be done, and why: one sentence, no full stop. */
  message: string;
  /** What to do next, as a command where there is one. */
  hint: string;
  /** The error below it, where there is one. */
  cause?: unknown;
}

/**
 * Something outside of holdopen stops it from doing its work: a missing directory, a file that cannot be written, a
 * registry that does not answer. The CLI prints what, why and the next command, and exits with 2. What is wrong with
 * an inspected install is never an error but a status with reasons; anything else that is thrown is a bug of ours.
 */
export class HoldopenError extends Error {
  override readonly name = 'HoldopenError';
  readonly code: string;
  readonly hint: string;

  /** @param parts code, message and hint, and the cause where there is one */
  constructor(parts: HoldopenErrorParts) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = parts.code;
    this.hint = parts.hint;
  }
}

/** The `E...` code of an error that the operating system gave, or undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
