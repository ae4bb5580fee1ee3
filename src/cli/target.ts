import { shellWord } from '../report/remedies.ts';

/** What the user named on the command line. */
export interface Target {
  dir?: string | undefined;
  files: readonly string[];
  /** Absolute. */
  cwd: string;
}

/** The same words for the next command: `packages/x`, `--file dist`, or nothing. */
export function targetWords({ dir, files }: Target): string {
  const words = [...(dir === undefined ? [] : [dir]), ...files.flatMap((file) => ['--file', file])];
  return words.map(shellWord).join(' ');
}
