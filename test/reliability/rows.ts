/** One row of docs/reliability.md: what is done, and which tests do it. */
export interface Row {
  what: string;
  test: string;
  /** How many tests report to it: with one of them skipped the row is not whole. */
  reports: number;
}

/** In the order of the page. */
export const rows = {
  'kill-points-patch': {
    what: 'SIGKILL and SIGTERM before and after each step of the write, through the CLI: patch; then again',
    test: 'test/safety/runs.test.ts',
    reports: 1,
  },
  'kill-points-restore': {
    what: 'the same of restore',
    test: 'test/safety/runs.test.ts',
    reports: 1,
  },
  'kill-points-writer': {
    what: 'the same of the writer alone',
    test: 'test/patch/write-runs.test.ts',
    reports: 1,
  },
  'runs-at-once': {
    what: '2 and 20 at once, of patch and of restore, with a reader that looks all the time',
    test: 'test/safety/runs.test.ts',
    reports: 4,
  },
  'runs-against': {
    what: 'patch and restore against each other, with the same reader',
    test: 'test/safety/runs.test.ts',
    reports: 1,
  },
  'pipe-takes-place': {
    what: 'a pipe takes the place of the file before it is written, and while it is; the pipe stays',
    test: 'test/patch/write-runs.test.ts',
    reports: 1,
  },
  'pipes-named': {
    what: 'a pipe or a device is named on the command line; each is refused',
    test: 'test/cli/hostile-paths.test.ts',
    reports: 2,
  },
  'pipes-found': {
    what: 'a pipe where a file is read: package.json, bundle, lockfile, ignore file, .npmrc; each is told or passed over',
    test: 'test/cli/hostile-paths.test.ts',
    reports: 2,
  },
  'pipes-release': {
    what: 'a pipe in the place of a tarball, of a file of a package, or of a file in the cache of check',
    test: 'test/release/pipes.test.ts',
    reports: 3,
  },
  'growing-file': {
    what: 'a file grows, or another takes its name, after it was looked at and while it is read',
    test: 'test/locate/installs/read.test.ts',
    reports: 1,
  },
  'write-faults': {
    what: 'a step of the write fails: no permission, read-only, no space, quota, I/O, busy, gone; each is told with the next step',
    test: 'test/patch/write.test.ts',
    reports: 10,
  },
  'file-changes': {
    what: 'the file changes between read and write, and while it is written; the newer bytes stay',
    test: 'test/patch/write.test.ts',
    reports: 2,
  },
  'full-disk': {
    what: 'a disk that is really full (tmpfs): patch and restore, and again with room',
    test: 'test/safety/disk.test.ts',
    reports: 1,
  },
  'install-at-work': {
    what: 'npm installs another release while patch runs again and again; the next run patches',
    test: 'test/safety/disk.test.ts',
    reports: 1,
  },
  'fuzz-own': {
    what: 'damaged bundles of our own, stock and patched, seed 20261201',
    test: 'test/safety/fuzz.test.ts',
    reports: 1,
  },
  'fuzz-released': {
    what: 'damaged released bundles (0.2.50, 0.3.205, 0.3.332), stock and patched, seed 20261202',
    test: 'test/real/fuzz.test.ts',
    reports: 3,
  },
  'big-files': {
    what: 'a file of 100 MB, in 256 MB of heap; a build of 200,000 statements, patched and restored',
    test: 'test/safety/big-files.test.ts',
    reports: 2,
  },
  layouts: {
    what: 'real installs of npm, pnpm, yarn and bun: stores and second projects; restore gives every sha256',
    test: 'test/layouts/layouts.test.ts',
    reports: 13,
  },
  'layouts-global': {
    what: 'the same as global root',
    test: 'test/layouts/layouts.test.ts',
    reports: 4,
  },
  'layouts-upgrades': {
    what: 'the same after an older revision, and with a piece of the patch taken out: named, upgraded, restored',
    test: 'test/layouts/layouts.test.ts',
    reports: 5,
  },
} as const satisfies Record<string, Row>;

export type RowName = keyof typeof rows;
export const rowNames = Object.keys(rows) as RowName[];
