import { createHash } from 'node:crypto';

/**
 * Bundle text, one character per byte (latin1).
 *
 * Every offset is then a byte offset, any byte sequence survives the round trip (invalid UTF-8, a BOM, CRLF),
 * and V8 keeps one byte per character where decoding UTF-8 would double the memory of a 1.4 MB bundle for a
 * single dash in a string. Names and syntax that we match are ASCII, so nothing is lost on the way.
 */
export type Source = string;

/** The text of a file's bytes. */
export function readSource(bytes: Buffer): Source {
  return bytes.toString('latin1');
}

/** The bytes of a text that {@link readSource} gave, with what was inserted. */
export function sourceBytes(source: Source): Buffer {
  return Buffer.from(source, 'latin1');
}

/** A readable rendering of a piece of source, for people. */
export function displayText(source: Source): string {
  return sourceBytes(source).toString('utf8');
}

/** sha256 of texts' or files' bytes one after another, in hex. */
export function sha256(...parts: readonly (Source | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    if (typeof part === 'string') hash.update(part, 'latin1');
    else hash.update(part);
  }
  return hash.digest('hex');
}
