/** What a bundle or a copy is; the README's table says what each means, `status.ts` which is worse. */
export type Status =
  'unaffected' | 'patched' | 'partial' | 'stale' | 'affected' | 'modified' | 'unknown' | 'unreadable';

/** When stock code ends the CLI's stdin, told from the code and never from a version number. */
export type Family = 'timed-race' | 'inactivity' | 'first-result' | 'run-end';

/** Why a bundle has its status: a code and its arguments; the wording lives in `report/texts.ts`. */
export interface Reason {
  code: ReasonCode;
  args?: Record<string, string | number>;
}

export type ReasonCode =
  // affected, partial
  | 'ends-after-timer' // timed-race: a timer may end input during the first turn
  | 'ends-after-inactivity' // inactivity: silence ends input
  | 'ends-at-first-result' // first-result: input ends with the first result, whatever is outstanding
  | 'ends-at-idle' // run-end: idle is reported while shells and the like still run
  // unaffected
  | 'end-input-empty' // no transport of this bundle does anything in endInput
  // patched, stale, modified
  | 'gate-current'
  | 'gate-older'
  | 'gate-newer'
  | 'gate-incomplete'
  | 'edited-after-patch'
  | 'marker-damaged'
  | 'marker-missing'
  // unknown
  | 'class-not-found'
  | 'class-ambiguous'
  | 'class-too-deep'
  | 'role-not-bound'
  | 'not-javascript'
  | 'not-code'
  // unreadable
  | 'cannot-read';

/** Hashes of one class at the levels of `locate/fingerprints.ts`. */
export interface Fingerprints {
  /** One per method that matters, alpha-renamed and in normal form. */
  methods: Record<string, string>;
  /** The whole class, alpha-renamed and in normal form. */
  class: string;
  /** The facts alone. */
  facts: string;
}

/** One JS file of a copy that holds the class. */
export interface BundleReport {
  /** Path inside the copy, `/` as separator. */
  file: string;
  status: Status;
  family: Family | null;
  /** Whether the catalogue has seen this shape. */
  known: boolean;
  /** The first recorded release of this shape; null for a new one. */
  since: string | null;
  /** The terms of the needs predicate. */
  needs: string[];
  /** How many `endInput` calls the class has. */
  sites: number;
  /** Of the file as it is on disk; null where it could not be read. */
  sha256: string | null;
  reasons: Reason[];
  fingerprints: Fingerprints | null;
}

/** One installed package directory. */
export interface CopyReport {
  package: string;
  version: string | null;
  /** Relative to the root where it is below it, else absolute; `/` as separator. */
  path: string;
  layout: Layout;
  status: Status;
  bundles: BundleReport[];
  /** Of the entry in the ignore file that accepts this copy as it is. */
  ignored?: Acceptance;
}

/** Why a finding is accepted, and until when. */
export interface Acceptance {
  reason: string;
  /** The last day, `2026-12-31`, in UTC. */
  expires: string;
}

/** One entry of the ignore file, with what it did in this run. */
export interface IgnoreEntry extends Acceptance {
  /** Of the copy or of a directory above it, as reports name it. */
  path?: string;
  package?: string;
  /** A version or a range; only with `package`. */
  version?: string;
}

export type IgnoreResult = IgnoreEntry & { state: 'used' | 'unused' | 'expired' };

/** Two shapes in one tree: which methods have equal normal forms. */
export interface ShapeDifference {
  /** Version and file. */
  from: string;
  to: string;
  same: string[];
  differ: string[];
}

/** Who laid the package out; `yarn-pnp` has no `node_modules`, `file` is what `--file` named. */
export type Layout = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn' | 'yarn-pnp' | 'bun' | 'file';

/** The document that `--format json` prints. */
export interface Report {
  schema: 'holdopen/report@1';
  root: string;
  summary: { copies: number } & Record<Status, number>;
  copies: CopyReport[];
  /** Empty where all bundles have one shape. */
  differences: ShapeDifference[];
  /** The entries of the ignore file, where there is one. */
  ignores?: IgnoreResult[];
}
