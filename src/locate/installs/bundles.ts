import { dirname, join, relative } from 'node:path';
import { systemCode } from '../../errors.ts';
import { Bundle } from '../bundle.ts';
import { ArchiveError } from './zip.ts';
import { contentOf } from './content.ts';
import type { Content } from './content.ts';
import { slashes } from './disk.ts';
import { packageEntries } from './entries.ts';
import { relativeImports } from './imports.ts';
import type { Copy } from './layout.ts';
import { parseManifest } from './manifest.ts';
import type { ManifestResult } from './manifest.ts';

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

/** One script of the copy, read once. */
interface Script {
  file: string;
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
  const content = openContent(copy);
  if (typeof content === 'string') {
    return { candidates: [], unreadable: [{ file: '.', detail: content }], mains: [] };
  }
  const scan = new Scan(copy.dir, content, settles);
  if (copy.files) {
    for (const name of copy.files.names) scan.follow(name);
    if (copy.files.kind === 'file') copy.files.names.forEach((name) => scan.main(name));
    return scan.result();
  }
  const result = scan.manifest();
  if (result.state === 'ok') {
    const entries = packageEntries(result.manifest);
    for (const { target, main } of entries) {
      for (const file of scan.resolve('', target)) {
        scan.follow(file);
        if (main) scan.main(file);
      }
    }
    scan.missing(entries.filter(({ main }) => main).map(({ target }) => target));
    return scan.result();
  }
  // Which of its files a host loads, nobody can say now: all that lie beside the package.json.
  scan.unreadable('package.json', result.state === 'broken' ? result.detail : 'missing');
  for (const file of scan.beside()) scan.follow(file);
  return scan.result();
}

/** An install at work may have replaced the archive since it was found: then the reason. */
function openContent(copy: Copy): Content | string {
  try {
    return contentOf(copy);
  } catch (error) {
    return detailOf(error);
  }
}

class Scan {
  readonly #root: string;
  readonly #content: Content;
  readonly #settles: Settles;
  readonly #scripts = new Map<string, Script>();
  readonly #candidates: Candidate[] = [];
  readonly #unreadable = new Map<string, string>();
  readonly #mains = new Set<string>();

  /** @param root real path of the copy */
  constructor(root: string, content: Content, settles: Settles) {
    this.#root = root;
    this.#content = content;
    this.#settles = settles;
  }

  manifest(): ManifestResult {
    const name = 'package.json';
    try {
      if (!this.#content.isFile(name)) return { state: 'missing' };
      return parseManifest(this.#content.read(name).toString('utf8'));
    } catch (error) {
      return { state: 'broken', detail: detailOf(error) };
    }
  }

  unreadable(file: string, detail: string): void {
    this.#unreadable.set(file, detail);
  }

  main(file: string): void {
    if (this.#scripts.has(file)) this.#mains.add(file);
  }

  /** An install that was cut off, or a link that leads nowhere: where no main file is there, the others prove nothing. */
  missing([target]: readonly string[]): void {
    if (target === undefined || this.#mains.size > 0 || this.#unreadable.size > 0) return;
    // With nothing at all in it the copy is `unknown` in any case.
    if (this.#scripts.size > 0) this.unreadable(target, 'missing');
  }

  /** Reads a script and all that it imports. By a list: a chain of imports can be longer than any stack is deep. */
  follow(file: string): void {
    const rest = [file];
    for (let next = rest.pop(); next !== undefined; next = rest.pop())
      rest.push(...this.#visit(next).toReversed());
  }

  /** Reads a script; gives what it imports. */
  #visit(file: string): string[] {
    if (this.#scripts.has(file) || this.#unreadable.has(file)) return [];
    const bytes = this.#attempt(file, () => this.#content.read(file));
    if (bytes === undefined) return [];
    const bundle = new Bundle(bytes);
    const candidate = bundle.mayHoldClass;
    if (candidate && bytes.length > mostBytes) {
      this.unreadable(file, `too big to be taken apart (${Math.round(bytes.length / 2 ** 20)} MB)`);
      return [];
    }
    const names = relativeImports(bytes);
    if (candidate && !this.#settles(file, bundle)) {
      this.#content.keep();
      this.#candidates.push({ file, bundle });
    }
    const imports = names.flatMap((name) => this.resolve(dirname(file), name));
    this.#scripts.set(file, { file, candidate, imports });
    return imports;
  }

  /** The scripts of the copy that a target or a specifier means: none, one, or with a `*` many. */
  resolve(from: string, target: string): string[] {
    const path = slashes(join(from, target));
    const star = path.indexOf('*');
    if (star === -1) {
      for (const ending of endings) {
        const guess = ending === '' ? path : slashes(join(path + ending));
        if (this.#scripts.has(guess) || (isScript(guess) && this.#isOwnFile(guess))) return [guess];
        // It is there and cannot be read, which is told once: the other guesses would say it again.
        if (this.#unreadable.has(guess)) return [];
      }
      return [];
    }
    const folder = path.slice(0, star).replace(/[^/]*$/, '');
    const [start, end] = [path.slice(0, star), path.slice(path.lastIndexOf('*') + 1)];
    return this.#below(folder).filter(
      (file) => file.length >= start.length + end.length && file.startsWith(start) && file.endsWith(end),
    );
  }

  /** The scripts beside the package.json. */
  beside(): string[] {
    const names = this.#attempt('.', () => this.#content.names()) ?? [];
    return names.sort().filter((name) => isScript(name) && name.includes('.') && this.#isOwnFile(name));
  }

  result(): BundleFiles {
    return {
      candidates: this.#candidates,
      unreadable: [...this.#unreadable].map(([file, detail]) => ({ file, detail })),
      mains: [...this.#mains].map((file) => ({ file, candidates: this.#reached(file) })),
    };
  }

  #reached(file: string): string[] {
    const [seen, rest, found] = [new Set<string>(), [file], [] as string[]];
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const script = this.#scripts.get(next);
      if (script === undefined || seen.has(next)) continue;
      seen.add(next);
      if (script.candidate) found.push(next);
      rest.push(...script.imports.toReversed());
    }
    return found;
  }

  /** Whether the file is there, and belongs to this copy and not to a package inside of it. */
  #isOwnFile(file: string): boolean {
    // No file has a name of more than 255 characters, and to look for one is an error.
    if (/(?:^|\/)(?:node_modules(?:\/|$)|[^/]{256})/.test(file)) return false;
    return this.#attempt(file, () => this.#content.isFile(file)) ?? false;
  }

  #below(folder: string): string[] {
    const addUnreadable = (place: { path: string; detail: string }): void =>
      this.unreadable(slashes(relative(this.#root, place.path)), place.detail);
    return this.#content.scripts(folder, addUnreadable).filter((file) => this.#isOwnFile(file));
  }

  #attempt<T>(file: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      const detail = detailOf(error);
      if (detail !== 'ENOENT' && detail !== 'ENOTDIR') this.unreadable(file, detail);
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

/** By its name. A file without an ending is JavaScript to Node; declarations, JSON and binaries are not. */
function isScript(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return /\.[cm]?js$/.test(name) || (name !== '' && !name.includes('.'));
}
