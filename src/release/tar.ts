import { HoldopenError } from '../errors.ts';

/** One regular file of an archive. */
export interface TarEntry {
  /** As it is in the archive, checked to stay below the directory that it is unpacked into. */
  path: string;
  size: number;
  /** Empty where the caller did not want it. */
  bytes: Buffer;
}

export interface TarOptions {
  /** Whether the bytes of a file are needed; the others are counted and thrown away. */
  wants: (path: string, size: number) => boolean;
  /** More than this in one wanted file, in all files together, or in entries is an attack and no package. */
  limits?: Partial<TarLimits>;
}

export interface TarLimits {
  file: number;
  total: number;
  entries: number;
}

/** The largest release so far unpacks to 130 MB; its largest script has 13 MB. */
export const tarLimits: TarLimits = { file: 64 * 2 ** 20, total: 2 ** 30, entries: 100_000 };

const BLOCK = 512;

/**
 * Reads a tar archive (ustar, with PAX and GNU long names) from a stream without holding more of it than the files
 * that are wanted. Links, devices and directories are passed over, as npm does.
 * @param stream the archive, unzipped
 * @param options what to keep, and how much is too much
 * @throws HoldopenError `bad-tarball`: cut off, not a tar, a path that leads out, or too large
 */
export async function* readTar(stream: AsyncIterable<Buffer>, options: TarOptions): AsyncGenerator<TarEntry> {
  const limits = { ...tarLimits, ...options.limits };
  const input = new Input(stream);
  let attributes = new Map<string, string>();
  let [total, entries] = [0, 0];
  for (;;) {
    const header = await input.take(BLOCK, true);
    // Two blocks of zeros end an archive; like other readers we make do with one, or with the end of the file.
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const { type, name, size } = parseHeader(header, attributes);
    total += size;
    entries += 1;
    if (total > limits.total || entries > limits.entries)
      throw badTarball(
        `it unpacks to more than ${String(limits.total >> 20)} MB or ${String(limits.entries)} files`,
      );

    if (type === 'x' || type === 'L') {
      if (size > 2 ** 20) throw badTarball('a name in it is longer than 1 MB');
      const text = await input.padded(size);
      if (type === 'L') attributes.set('path', cString(text));
      else for (const [key, value] of paxRecords(text)) attributes.set(key, value);
      continue;
    }
    attributes = new Map();
    // '0' and NUL are files; 'g' is for all that follows and of no interest here.
    if (type !== '0' && type !== '\0' && type !== '7') {
      await input.skip(padding(size));
      continue;
    }
    const path = safePath(name);
    if (!options.wants(path, size)) {
      await input.skip(padding(size));
      yield { path, size, bytes: Buffer.alloc(0) };
      continue;
    }
    if (size > limits.file)
      throw badTarball(`${path} has ${String(size >> 20)} MB, more than a script can have`);
    yield { path, size, bytes: await input.padded(size) };
  }
}

/** An archive that is not to be trusted. */
export function badTarball(why: string, cause?: unknown): HoldopenError {
  return new HoldopenError({
    code: 'bad-tarball',
    message: `the tarball is damaged or hostile: ${why}`,
    hint: 'get it again from where it came from; nothing of it was kept',
    cause,
  });
}

interface Header {
  type: string;
  name: string;
  size: number;
}

function parseHeader(block: Buffer, attributes: ReadonlyMap<string, string>): Header {
  // The checksum is the sum of all bytes with its own eight taken as blanks.
  const sum = block.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (octal(block, 148, 8) !== sum) throw badTarball('a header has a wrong checksum');
  const prefix = cString(block.subarray(345, 500));
  const short = cString(block.subarray(0, 100));
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  const size = attributes.has('size') ? Number(attributes.get('size')) : octal(block, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw badTarball('a header has no valid size');
  return {
    type: String.fromCharCode(block[156] ?? 0),
    name: attributes.get('path') ?? (isUstar && prefix !== '' ? `${prefix}/${short}` : short),
    size,
  };
}

/** Octal digits, or where the first bit is set a binary number, as GNU tar writes more than 8 GB. */
function octal(block: Buffer, at: number, length: number): number {
  const field = block.subarray(at, at + length);
  if (((field[0] ?? 0) & 0x80) !== 0) return field.readUIntBE(length - 6, 6);
  const digits = cString(field).trim();
  return /^[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
}

/** `"30 mtime=1700000000.0\n25 path=package/long...\n"`: the length counts the whole record. */
function paxRecords(bytes: Buffer): [string, string][] {
  const records: [string, string][] = [];
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank < 0 ? NaN : Number(bytes.toString('latin1', at, blank));
    if (!Number.isSafeInteger(length) || length <= blank - at || at + length > bytes.length)
      throw badTarball('an extended header is not readable');
    const record = bytes.toString('utf8', blank + 1, at + length - 1);
    const equals = record.indexOf('=');
    const key = record.slice(0, equals);
    // Of the others there can be millions, in one header after another.
    if (key === 'path' || key === 'size') records.push([key, record.slice(equals + 1)]);
    at += length;
  }
  return records;
}

/** A path that stays where it is put, whatever the system; anything else no package manager would have packed. */
function safePath(name: string): string {
  const parts = name.split('/');
  const leadsOut = parts.includes('..') || name.startsWith('/') || /^[A-Za-z]:/.test(name);
  if (leadsOut || /[\\\u0000-\u001f]/.test(name)) throw badTarball('a path in it leads out of the package');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

function cString(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

function padding(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

/** A stream of chunks read by the byte. */
class Input {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes; undefined at the end of the stream where `mayEnd`. */
  async take(size: number, mayEnd = false): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) {
        if (mayEnd && pieces.length === 0) return undefined;
        throw badTarball('it ends in the middle of a file');
      }
      const piece = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(piece.length);
      missing -= piece.length;
      pieces.push(piece);
    }
    return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  }

  /** The next bytes without the zeros that fill up the last block. */
  async padded(size: number): Promise<Buffer> {
    const bytes = (await this.take(size)) ?? Buffer.alloc(0);
    await this.skip(padding(size) - size);
    return bytes;
  }

  async skip(size: number): Promise<void> {
    for (let missing = size; missing > 0;) {
      if (this.#rest.length === 0 && !(await this.#more()))
        throw badTarball('it ends in the middle of a file');
      const step = Math.min(missing, this.#rest.length);
      this.#rest = this.#rest.subarray(step);
      missing -= step;
    }
  }

  async #more(): Promise<boolean> {
    const next: IteratorResult<Buffer, unknown> = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}
