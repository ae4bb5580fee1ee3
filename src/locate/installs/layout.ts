import { basename, join } from 'node:path';
import type { Layout } from '../../types.ts';

/** The package that this is about. */
export const sdkPackage = '@anthropic-ai/claude-agent-sdk';

/** Its predecessor: 1.0.100 to 2.0.0 shipped the same class in an `sdk.mjs` next to the CLI. */
export const cliPackage = '@anthropic-ai/claude-code';

/** Whether packages of this name hold, or held once, the class. */
export function isCopyName(name: string | undefined): boolean {
  return name === sdkPackage || name === cliPackage;
}

/** Cheap test on the bytes of a package.json, before anything is parsed. */
export function mayNameCopy(bytes: Buffer): boolean {
  return bytes.includes('@anthropic-ai/claude-');
}

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

/** Takes the places that cannot be looked into. */
export interface Unreadables {
  addUnreadable(place: UnreadablePlace): void;
}

/** Where a finder puts what it finds; a directory that is reached twice counts once. */
export interface Findings extends Unreadables {
  addCopy(copy: Copy): void;
  /** Whether a directory is entered for the first time: links lead in circles, and finders to one tree. */
  enter(identity: string): boolean;
}

/**
 * How one package manager lays packages out. A finder reads directories and nothing else: no network, no package manager,
 * no writing.
 */
export interface LayoutFinder {
  layout: Layout;
  /**
   * @param start real path of a project root, of a package directory or of a `node_modules` directory
   * @param findings takes the copies and the places that could not be read
   */
  find(start: string, findings: Findings): void;
  /** The `node_modules` that it installs into globally; they need not be there. */
  globalRoots?(where: Surroundings): string[];
}

/** What decides where package managers install globally; tests hand in their own. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  home: string;
  platform: NodeJS.Platform;
  /** Path of the node binary: npm's prefix follows from it. */
  node: string;
  /** Whether this is the system's superuser. */
  superuser: boolean;
}

/**
 * The `node_modules` of a place that a search starts in.
 * @param start real path of a project, a package or a `node_modules`
 */
export function nodeModulesOf(start: string): string {
  return basename(start) === 'node_modules' ? start : join(start, 'node_modules');
}
