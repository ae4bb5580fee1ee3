import type AdmZip from 'adm-zip';
import { library } from './library.ts';
import { readRegular } from './read.ts';

/** The archive is not what it should be; the message says how, in a few words. */
export class ArchiveError extends Error {}

/** More than any file of the SDK that holds the class by far; a bomb says more, or unpacks to more than it says. */
const mostBytes = 64 * 2 ** 20;

/** A zip of yarn's cache. The library holds an entry to the size and the checksum that the archive's directory says. */
export class ZipFile {
  readonly #zip: AdmZip;
  /** Of its files. */
  readonly names: ReadonlySet<string>;

  /**
   * @param path of the archive
   * @throws ArchiveError `not a zip`, or what the system says
   */
  constructor(path: string) {
    const Zip = library<typeof AdmZip>('adm-zip');
    const bytes = readRegular(path);
    this.#zip = attempt('not a zip', () => new Zip(bytes, { noSort: true, readEntries: true }));
    const files = this.#zip.getEntries().filter(({ isDirectory }) => !isDirectory);
    this.names = new Set(files.map(({ entryName }) => entryName));
  }

  /** The bytes of one entry. @throws ArchiveError where it is not there, damaged or too big */
  read(name: string): Buffer {
    const entry = this.names.has(name) ? this.#zip.getEntry(name) : null;
    if (!entry) throw new ArchiveError(`${name} is not in the archive`);
    const { size, compressedSize } = entry.header;
    if (Math.max(size, compressedSize) > mostBytes) throw new ArchiveError(`${name} is too big`);
    const bytes = attempt(`${name} is damaged`, () => entry.getData());
    if (bytes.length !== size) throw new ArchiveError(`${name} is damaged`);
    return bytes;
  }
}

/** The library throws errors of any kind at what it was not made for. */
function attempt<T>(why: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new ArchiveError(why, { cause });
  }
}
