/** What every part of the benchmark works with. */
export interface Bench {
  /** A folder for its files. */
  dir: string;
  /** The package directory of the release. */
  release: string;
  version: string;
  /** The CLI as users start it. */
  cli: string;
  quick: boolean;
}
