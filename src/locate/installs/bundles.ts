import { dirname, join } from 'node:path';
import { systemCode } from '../../errors.ts';
import { Bundle } from '../bundle.ts';
import { relativeImports } from '../imports.ts';
import { ArchiveError, type Content, contentOf, isScript } from './content.ts';
import type { Copy } from './layout.ts';
import { packageEntries, parseManifest } from './manifest.ts';
import { slashes } from './read.ts';

/** A script that holds both words and so may hold the class. */
export interface Candidate {
  /** Relative to the copy's directory, `/` as separator. */
  file: string;
  bundle: Bundle;
}

export interface BundleFiles {
  /** In the order in which the package.json leads to them, without those that were settled on sight. */
  candidates: Candidate[];
  /** Files that are there and could not be read or understood. */
  unreadable: { file: string; detail: string }[];
  /**
   * The files that a plain `import` of the copy leads to, with the candidates that each of them loads. A copy whose
   * main file leads to no class is not clean because another file of it is.
   */
  mains: { file: string; candidates: string[] }[];
}

/** What `require` and old bundlers add to a path by themselves. */
const endings = ['', '.js', '.mjs', '.cjs', '/index.js'];

type Settles = (file: string, bundle: Bundle) => boolean;

/** Many times what any build is. Its syntax tree would take the memory of the machine, and the install down with it. */
const mostBytes = 32 * 2 ** 20;

/** What is kept of a script that was read. */
interface Script {
  candidate: boolean;
  imports: string[];
}

/**
 * Finds the files of one copy that may hold the class: all that its package.json lets a host load, and all that those
 * import, by names inside of the copy. Reads only.
 * @param copy what `findInstalls` found
 * @param settles whether all is said of a candidate that has just been read; then its bytes need not be kept
 * @returns candidates with what they hold; what is not there is left out, what cannot be read is listed
 */
export function findBundles(copy: Copy, settles: Settles = () => false): BundleFiles {
  let scan: Scan;
  try {
    scan = new Scan(contentOf(copy), settles);
  } catch (error) {
    // An install at work may have replaced the archive since it was found.
    return { candidates: [], unreadable: [{ file: '.', detail: detailOf(error) }], mains: [] };
  }
  if (copy.files === undefined) scan.package();
  else for (const name of copy.files.names) scan.follow(name, copy.files.kind === 'file');
  return scan.result();
}

/** The names of all scripts that a host can load by the name of a package. */
export function reachableScripts(content: Content): string[] {
  const scan = new Scan(content, () => true);
  scan.package();
  return scan.names();
}

class Scan {
  readonly #content: Content;
  readonly #settles: Settles;
  readonly #scripts = new Map<string, Script>();
  readonly #candidates: Candidate[] = [];
  readonly #unreadable = new Map<string, string>();
  readonly #mains = new Set<string>();

  constructor(content: Content, settles: Settles) {
    this.#content = content;
    this.#settles = settles;
  }

  /** Follows what the package.json says. */
  package(): void {
    const result = this.#attempt('package.json', () =>
      this.#content.isFile('package.json')
        ? parseManifest(this.#content.read('package.json').toString('utf8'))
        : undefined,
    );
    if (result?.state !== 'ok') {
      // Which of its files a host loads, nobody can say now: all that lie beside the package.json.
      const detail = result?.state === 'broken' ? result.detail : 'missing';
      if (!this.#unreadable.has('package.json')) this.#unreadable.set('package.json', detail);
      for (const file of this.#below('')) if (!file.includes('/')) this.follow(file);
      return;
    }
    const entries = packageEntries(result.manifest);
    for (const { target, main } of entries)
      for (const file of this.#resolve('', target)) this.follow(file, main);
    // An install that was cut off, or a link that leads nowhere: where no main file is there, the others prove nothing. With
    // nothing at all in it the copy is `unknown` in any case.
    const main = entries.find((entry) => entry.main);
    if (main && this.#mains.size === 0 && this.#unreadable.size === 0 && this.#scripts.size > 0)
      this.#unreadable.set(main.target, 'missing');
  }

  /** Reads a script and all that it imports. By a list: a chain of imports can be longer than any stack is deep. */
  follow(file: string, main = false): void {
    const rest = [file];
    for (let next = rest.pop(); next !== undefined; next = rest.pop())
      rest.push(...this.#visit(next).toReversed());
    if (main && this.#scripts.has(file)) this.#mains.add(file);
  }

  /** Of all scripts that are there, also of those that cannot be read. */
  names(): string[] {
    return [...this.#scripts.keys(), ...this.#unreadable.keys()];
  }

  result(): BundleFiles {
    return {
      candidates: this.#candidates,
      unreadable: [...this.#unreadable].map(([file, detail]) => ({ file, detail })),
      mains: [...this.#mains].map((file) => ({ file, candidates: this.#reached(file) })),
    };
  }

  /** Reads a script; gives what it imports. */
  #visit(file: string): string[] {
    if (this.#scripts.has(file) || this.#unreadable.has(file)) return [];
    const bytes = this.#attempt(file, () => this.#content.read(file));
    if (bytes === undefined) return [];
    const bundle = new Bundle(bytes);
    const candidate = bundle.mayHoldClass;
    if (candidate && bytes.length > mostBytes) {
      this.#unreadable.set(file, `too big to be taken apart (${Math.round(bytes.length / 2 ** 20)} MB)`);
      return [];
    }
    const names = relativeImports(bytes);
    if (candidate && !this.#settles(file, bundle)) {
      this.#content.keep();
      this.#candidates.push({ file, bundle });
    }
    const imports = names.flatMap((name) => this.#resolve(dirname(file), name));
    this.#scripts.set(file, { candidate, imports });
    return imports;
  }

  /** The scripts of the copy that a target or a specifier means: none, one, or with a `*` many. */
  #resolve(from: string, target: string): string[] {
    const path = slashes(join(from, target));
    if (path.includes('*')) {
      const [start, end] = [path.slice(0, path.indexOf('*')), path.slice(path.lastIndexOf('*') + 1)];
      return this.#below(start.replace(/[^/]*$/, '')).filter(
        (file) => file.length >= start.length + end.length && file.startsWith(start) && file.endsWith(end),
      );
    }
    for (const ending of endings) {
      const guess = ending === '' ? path : slashes(join(path + ending));
      if (this.#scripts.has(guess) || (isScript(guess) && this.#isOwnFile(guess))) return [guess];
      // It is there and cannot be read, which is told once: the other guesses would say it again.
      if (this.#unreadable.has(guess)) return [];
    }
    return [];
  }

  /** The candidates that a script loads. */
  #reached(file: string): string[] {
    const [seen, rest] = [new Set<string>(), [file]];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      rest.push(...(this.#scripts.get(next)?.imports.toReversed() ?? []));
    }
    return [...seen].filter((name) => this.#scripts.get(name)?.candidate === true);
  }

  /** Whether the file is there, and belongs to this copy and not to a package inside of it. */
  #isOwnFile(file: string): boolean {
    // No file has a name of more than 255 characters, and to look for one is an error.
    if (/(?:^|\/)(?:node_modules(?:\/|$)|[^/]{256})/.test(file)) return false;
    return this.#attempt(file, () => this.#content.isFile(file)) ?? false;
  }

  #below(folder: string): string[] {
    const addUnreadable = (file: string, detail: string): void => void this.#unreadable.set(file, detail);
    return this.#content.scripts(folder, addUnreadable).filter((file) => this.#isOwnFile(file));
  }

  #attempt<T>(file: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      const detail = detailOf(error);
      if (detail !== 'ENOENT' && detail !== 'ENOTDIR') this.#unreadable.set(file, detail);
      return undefined;
    }
  }
}

/** What the system or the archive said; anything else is a bug and thrown on. */
function detailOf(error: unknown): string {
  const code = systemCode(error);
  if (code !== undefined) return code;
  if (error instanceof ArchiveError) return error.message;
  throw error;
}
