import { shellWord } from '../report/findings.ts';

/** What the user named on the command line. */
export interface Target {
  dir?: string | undefined;
  files: readonly string[];
  /** The global installs, and `dir` only where it was named as well. */
  global?: boolean;
  /** Absolute. */
  cwd: string;
}

/** The same words for the next command: `packages/x`, `--file dist`, or nothing. */
export function targetWords({ dir, files, global }: Target): string {
  const words = [
    ...(dir === undefined ? [] : [shellWord(dir)]),
    ...files.map((file) => `--file ${shellWord(file)}`),
    ...(global === true ? ['--global'] : []),
  ];
  return words.join(' ');
}
