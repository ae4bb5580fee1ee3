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

/** sha256 of a text's bytes, in hex. */
export function sha256(source: Source): string {
  return createHash('sha256').update(source, 'latin1').digest('hex');
}
