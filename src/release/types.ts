import type { BundleReport, Family, Status } from '../types.ts';

/**
 * How deep a change goes, from nothing to everything. `bytes`: the file is another, the class's text is the same.
 * `renamed`: texts differ, normal forms do not. `normal-form`: the code is another, what the AST proves is the same.
 * `facts`: it behaves in another way. `added`, `removed`: there is nothing to compare with. `unknown`: the file is another,
 * and of one of the two the class did not bind.
 */
export type DriftLevel =
  'same' | 'bytes' | 'renamed' | 'normal-form' | 'facts' | 'added' | 'removed' | 'unknown';

/** One method that matters, or `the rest` of the class. */
export interface RoleDrift {
  role: string;
  level: Extract<DriftLevel, 'renamed' | 'normal-form' | 'added' | 'removed'>;
}

/** A fact that is another one now. */
export type Change =
  | { kind: 'family'; from: Family | null; to: Family | null }
  | { kind: 'status'; from: Status; to: Status }
  /** Terms of the needs predicate. */
  | { kind: 'needs'; added: string[]; removed: string[] }
  /** The methods that the `endInput` calls stand in. */
  | { kind: 'sites'; added: string[]; removed: string[] }
  | { kind: 'needs-method' | 'waits' | 'end-input' | 'transport'; from: string; to: string };

/** What one bundle is against the same one of the release that it is compared with. */
export interface FileDrift {
  file: string;
  level: DriftLevel;
  roles: RoleDrift[];
  changes: Change[];
}

/**
 * What somebody should hear of, in the order of how much it matters. `unpatchable`: the patch does not bind. `family`, `facts`, `bundles`, `shape`: drift of
 * a release that the catalogue does not have. `changed`: it is not what the catalogue recorded under this version.
 * `unneeded`: upstream does the job.
 */
export const allNews = ['unpatchable', 'changed', 'family', 'facts', 'bundles', 'unneeded', 'shape'] as const;

export type News = (typeof allNews)[number];

/** A bundle as `audit` reports it. */
export type CheckedBundle = BundleReport & { size: number };

export interface CheckedRelease {
  package: string;
  version: string;
  source: 'registry' | 'tarball' | 'directory' | 'catalogue';
  /** Version of the CLI that belongs to it. */
  cli: string | null;
  integrity: string | null;
  unpackedSize: number | null;
  status: Status;
  /** Whether the patch binds in every bundle that needs it, proved in memory. */
  patchable: boolean;
  /** Whether the catalogue has this release. */
  recorded: boolean;
  news: News[];
  /** The version that `drift` is against; null where there is none before it. */
  against: string | null;
  drift: FileDrift[];
  bundles: CheckedBundle[];
}

/** A release that could not be checked. */
export interface CheckFailure {
  spec: string;
  code: string;
  message: string;
  hint: string;
}

/** The document that `check --format json` prints. */
export interface CheckReport {
  schema: 'holdopen/check@1';
  package: string;
  catalogue: { releases: number; newest: string | null };
  summary: { releases: number; patchable: number; failures: number } & Record<Status, number>;
  /** Oldest first. */
  releases: CheckedRelease[];
  failures: CheckFailure[];
}
