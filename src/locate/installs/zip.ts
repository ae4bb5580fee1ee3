import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import module from 'node:module';
import type * as Zlib from 'node:zlib';

/** The archive is not what it should be; the message says how, in a few words. */
export class ArchiveError extends Error {}

/** One file of an archive. */
export interface ZipEntry {
  name: string;
  method: number;
  packed: number;
  size: number;
  /** Of its local header. */
  at: number;
}

/** More than any file of the SDK that holds the class by far; a bomb says more, or unpacks to more than it says. */
const mostBytes = 64 * 2 ** 20;

/**
 * Reads a zip as yarn writes them: one disk, no encryption, entries stored or deflated. Small enough to be written out
 * here; it reads the directory at the end and then only the entries that are asked for.
 */
export class ZipFile {
  readonly #path: string;
  readonly entries: ReadonlyMap<string, ZipEntry>;

  /**
   * @param path of the archive
   * @throws ArchiveError `not a zip`, or what the system says
   */
  constructor(path: string) {
    this.#path = path;
    this.entries = this.#open((file) => readDirectory(file));
  }

  /** The bytes of one entry. @throws ArchiveError where they are damaged or too many */
  read({ method, packed, size, at, name }: ZipEntry): Buffer {
    if (packed > mostBytes || size > mostBytes) throw new ArchiveError(`${name} is too big`);
    return this.#open((file) => {
      // Local header: signature 4 bytes, ..., length of the name at 26, of the extra field at 28, then both, then data.
      const header = readAt(file, at, 30);
      if (header.readUInt32LE(0) !== 0x04034b50) throw new ArchiveError('not a zip');
      const bytes = readAt(file, at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), packed);
      if (method === 0) return bytes;
      if (method !== 8) throw new ArchiveError(`${name} is packed in a way that zip readers rarely know`);
      try {
        const unpacked = zlib().inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) });
        if (unpacked.length === size) return unpacked;
      } catch {
        // Whatever it does not like about them, the bytes are not those that were packed.
      }
      throw new ArchiveError(`${name} is damaged`);
    });
  }

  #open<T>(action: (file: number) => T): T {
    const file = openSync(this.#path, 'r');
    try {
      return action(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Few trees have an archive, and loading it takes longer than all else that this folder needs of Node. */
function zlib(): typeof Zlib {
  return module.createRequire(process.execPath)('node:zlib') as typeof Zlib;
}

function readDirectory(file: number): Map<string, ZipEntry> {
  const { size } = fstatSync(file);
  // The end record has 22 bytes and a comment of up to 65,535 behind it.
  const tail = readAt(file, Math.max(0, size - 65_557), Math.min(size, 65_557));
  const end = tail.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'));
  if (end === -1 || end + 22 > tail.length) throw new ArchiveError('not a zip');
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (start + length > size) throw new ArchiveError('not a zip');
  const bytes = readAt(file, start, length);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50;) {
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + 46, nameEnd);
    entries.set(name, {
      name,
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      at: bytes.readUInt32LE(at + 42),
    });
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (readSync(file, bytes, 0, length, at) !== length) throw new ArchiveError('the zip ends too early');
  return bytes;
}
