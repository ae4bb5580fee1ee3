import { Bundle } from './locate/bundle.ts';
import { sourceBytes } from './locate/source.ts';
import { type PatchOutcome, type RestoreOutcome, patchBundle, restoreBundle } from './patch/apply.ts';
import { type Inspection, inspectBundle } from './patch/examine.ts';

export { HoldopenError } from './errors.ts';
export { type Copy, type Installs, type SearchOptions, findInstalls } from './locate/installs/index.ts';
export type { Inspection } from './patch/examine.ts';
export type {
  BundleReport,
  CopyReport,
  Family,
  Fingerprints,
  Layout,
  Reason,
  ReasonCode,
  Report,
  Status,
} from './types.ts';

/** A bundle's text, or the bytes of its file. Bytes are exact whatever their encoding; results have the same type. */
export type Content = string | Uint8Array;

/** An outcome whose `source` is of the type that was handed in. */
type Outcome<T, C extends Content> = T extends { source: string } ? Omit<T, 'source'> & { source: C } : T;

/**
 * Classifies one bundle. Nothing is executed, read or written.
 * @param content the bundle
 * @returns status, family, needs, fingerprints and reasons; undefined where it does not hold the SDK's class
 */
export function inspect(content: Content): Inspection | undefined {
  return inspectBundle(toBundle(content));
}

/**
 * Patches one bundle in memory. The result is proved before it is returned: it is whole
 * JavaScript, and taking the patch out again gives the original's bytes back.
 * @param content the bundle, stock or with an older patch
 * @returns `patched` or `upgraded` with the new content; `unchanged` where there is nothing to do; `refused` with the
 *   reasons where the code was not recognised or somebody else changed it
 * @throws HoldopenError `proof-failed`, a bug in holdopen
 */
export function patch<C extends Content>(content: C): Outcome<PatchOutcome, C> {
  return toOutcome(content, patchBundle(toBundle(content)));
}

/**
 * Takes the patch out of one bundle in memory.
 * @param content the bundle
 * @returns `restored` with the original's content, proved by its sha256; `unchanged` where there is no patch;
 *   `refused` where the original cannot be had from it any more
 */
export function restore<C extends Content>(content: C): Outcome<RestoreOutcome, C> {
  return toOutcome(content, restoreBundle(toBundle(content)));
}

function toBundle(content: Content): Bundle {
  return new Bundle(typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content));
}

function toOutcome<C extends Content, T extends { outcome: string }>(content: C, outcome: T): Outcome<T, C> {
  if (!('source' in outcome)) return outcome as Outcome<T, C>;
  const bytes = sourceBytes(outcome.source as string);
  const source = typeof content === 'string' ? bytes.toString('utf8') : new Uint8Array(bytes);
  return { ...outcome, source } as unknown as Outcome<T, C>;
}
