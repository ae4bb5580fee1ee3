import { Readable } from 'node:stream';
import type { ParsedTarEntry } from 'modern-tar';
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
  /** More than this in one wanted file, in the whole archive, or in entries is an attack and no package. */
  limits?: Partial<TarLimits>;
}

export interface TarLimits {
  file: number;
  total: number;
  entries: number;
}

/** The largest release so far unpacks to 130 MB; its largest script has 13 MB. */
export const tarLimits: TarLimits = { file: 64 * 2 ** 20, total: 2 ** 30, entries: 100_000 };

/**
 * Reads a tar archive from a stream without holding more of it than the files that are wanted. Links, devices and
 * directories are passed over, as npm does. The library takes an archive apart; what makes one hostile is told here.
 * @param stream the archive, unzipped
 * @param options what to keep, and how much is too much
 * @throws HoldopenError `bad-tarball`: cut off, not a tar, a path that leads out, or too large
 */
export async function* readTar(stream: AsyncIterable<Buffer>, options: TarOptions): AsyncGenerator<TarEntry> {
  const { createTarDecoder } = await import('modern-tar');
  const limits = { ...tarLimits, ...options.limits };
  const bytes = Readable.toWeb(Readable.from(ended(stream, limits))) as ReadableStream<Uint8Array>;
  let entries = 0;
  try {
    for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
      if ((entries += 1) > limits.entries) throw tooMuch(limits);
      // The library would take the size that stands before it.
      if (!/^\d+$/.test(header.pax?.['size'] ?? '0')) throw badTarball('a header has no valid size');
      const isFile = header.type === 'file';
      const { size } = header;
      const path = isFile ? safePath(header.name) : '';
      const isWanted = isFile && options.wants(path, size);
      if (isWanted && size > limits.file)
        throw badTarball(`${path} has ${size >> 20} MB, more than a script can have`);
      const content = await contentOf(body, isWanted);
      if (isFile) yield { path, size, bytes: content };
    }
  } catch (error) {
    throw tarError(error);
  }
}

/**
 * The stream with the two blocks of zeros that end an archive: not every packer writes them, and the library wants them. An
 * archive that is cut off takes them for its content, and is still without an end.
 */
async function* ended(stream: AsyncIterable<Buffer>, limits: TarLimits): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > limits.total) throw tooMuch(limits);
    yield chunk;
  }
  yield Buffer.alloc(1024);
}

/** To its end in any case: what is cut off is no package, whether it is wanted or not. */
async function contentOf(body: ParsedTarEntry['body'], isWanted: boolean): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) if (isWanted) chunks.push(chunk);
  return Buffer.concat(chunks);
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

function tooMuch({ total, entries }: TarLimits): HoldopenError {
  return badTarball(`it unpacks to more than ${total >> 20} MB or ${entries} files`);
}

/** What the library says of an archive, in our words; it tells errors apart by their text alone. */
const said: readonly [RegExp, string][] = [
  [/truncated/, 'it ends in the middle of a file'],
  [/checksum|^Invalid tar/, 'a header has a wrong checksum, or the archive ends in the middle of it'],
  [/metadata entry/, 'a name in it is longer than 8 MB'],
  [/^Negative|^TAR number/, 'a header has no valid size'],
  [/^Invalid EOF|^Too many/, 'it is no tar archive, or more than one'],
];

/** What came down the stream, as the system or the decompression said it, passes. */
function tarError(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error;
  const why = said.find(([pattern]) => pattern.test(error.message))?.[1];
  return why === undefined ? error : badTarball(why, error);
}

/** A path that stays where it is put, whatever the system; anything else no package manager would have packed. */
function safePath(name: string): string {
  const parts = name.split('/');
  const leadsOut = parts.includes('..') || name.startsWith('/') || /^[A-Za-z]:/.test(name);
  if (leadsOut || /[\\\u0000-\u001f]/.test(name)) throw badTarball('a path in it leads out of the package');
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}
