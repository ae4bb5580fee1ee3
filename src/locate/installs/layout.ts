import type { Layout } from '../../types.ts';

/** The package that this is about. */
export const sdkPackage = '@anthropic-ai/claude-agent-sdk';

/** Its predecessor: 1.0.100 to 2.0.0 shipped the same class in an `sdk.mjs` next to the CLI. */
export const cliPackage = '@anthropic-ai/claude-code';

/** One installed package directory, or what `--file` named. */
export interface Copy {
  package: string;
  version: string | null;
  /** Real path of the directory, absolute. */
  dir: string;
  layout: Layout;
  /** The directory that its files may be written in, where that is not the root of the search: a store, a global root. */
  root?: string;
  /** Of a package that lies packed in a zip; `dir` is then the path that Plug'n'Play gives it. */
  archive?: Archive;
  /** `--file` only: look at these files of `dir` and at nothing else, whatever its package.json says. */
  files?: FileChoice;
}

export interface Archive {
  /** Real path of the zip. */
  path: string;
  /** The package's directory in it, `/` as separator, with the last one. */
  prefix: string;
}

export interface FileChoice {
  /** A file that was named must hold the class; a folder that was named must hold it somewhere. */
  kind: 'file' | 'folder';
  /** Relative to the copy's directory, `/` as separator. */
  names: string[];
}

/** A place that could not be looked into, so that nobody can say what is installed there. */
export interface UnreadablePlace {
  /** Absolute. */
  path: string;
  /** `EACCES` and the like. */
  detail: string;
}

/** Where a finder puts what it finds; a directory that is reached twice counts once. */
export interface Findings {
  addCopy(copy: Copy): void;
  addUnreadable(place: UnreadablePlace): void;
  /** Whether a directory is entered for the first time: links lead in circles, and finders to one tree. */
  enter(identity: string): boolean;
}

/**
 * How one package manager lays packages out. A finder reads directories below `start` and nothing else: no network,
 * no package manager, no writing.
 */
export interface LayoutFinder {
  layout: Layout;
  /**
   * @param start real path of a project root, of a package directory or of a `node_modules` directory
   * @param findings takes the copies and the places that could not be read
   */
  find(start: string, findings: Findings): void;
}
