import { BUNDLES, SHAPES, UNAFFECTED } from './known-hashes.ts';
import { sha256 } from './source.ts';

/**
 * Whether these very bytes are a bundle of a recorded release. Then the file is whole and its class is code: it was
 * parsed when it was recorded, and what is proved of bytes stays so. 128 bits of the hash are compared, which nobody
 * can make another file for.
 * @param sha256 of the file, in hex
 */
export function isKnownBundle(sha256: string): boolean {
  return /^[0-9a-f]{64}$/.test(sha256) && BUNDLES.includes(`,${sha256.slice(0, 32)},`);
}

/** Whether these very bytes are a bundle of a recorded release that has nothing to patch. */
export function isKnownUnaffected(bytes: Buffer): boolean {
  // ,b0b1...:c2k4,   by hash and size: only a file of such a size is worth its hash.
  const size = `:${bytes.length.toString(36)},`;
  return UNAFFECTED.includes(size) && UNAFFECTED.includes(`,${sha256(bytes).slice(0, 32)}${size}`);
}

/**
 * The first recorded release with a class of these normal forms; see `fingerprints.ts`.
 * @param classHash the fingerprint of the class
 * @returns its version, or undefined for a new shape
 */
export function shapeSince(classHash: string): string | undefined {
  // ,858855da4b09b53b:0.0.4,
  const at = /^[0-9a-f]{16}$/.test(classHash) ? SHAPES.indexOf(`,${classHash}:`) : -1;
  if (at < 0) return undefined;
  const start = at + classHash.length + 2;
  return SHAPES.slice(start, SHAPES.indexOf(',', start));
}
