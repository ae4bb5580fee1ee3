import type { Source } from '../locate/source.ts';
import { HoldopenError } from '../errors.ts';
import type { Reason, Status } from '../types.ts';
import { placesOf } from './binding.ts';
import { parses } from './by-parser.ts';
import { examine } from './examine.ts';
import { render } from './render.ts';
import { isUntouchedPatch } from './untouched.ts';

export type PatchOutcome =
  | { outcome: 'patched' | 'upgraded'; source: Source }
  | { outcome: 'unchanged' }
  | { outcome: 'refused'; status: Status; reasons: Reason[] };

export type RestoreOutcome =
  | { outcome: 'restored'; source: Source }
  | { outcome: 'unchanged' }
  | { outcome: 'refused'; status: Status; reasons: Reason[] };

/**
 * Puts the gate into a bundle's text. The result has been proved in memory: it parses, is classified as
 * `patched`, and taking the patch out again gives the original's bytes. Already patched and unaffected
 * texts, and texts without the class, are `unchanged`; what cannot be proved is `refused`.
 */
export function patchSource(source: Source): PatchOutcome {
  if (isUntouchedPatch(source)) return { outcome: 'unchanged' };
  const examination = examine(source);
  if (!examination) return { outcome: 'unchanged' };
  const { status, reasons, analysis, original, patched } = examination;
  if (status === 'patched' || status === 'unaffected') return { outcome: 'unchanged' };
  const wanted = status === 'affected' || status === 'partial' || status === 'stale';
  if (!wanted || analysis.kind !== 'bound' || original === undefined)
    return { outcome: 'refused', status, reasons };
  const result = render(original, placesOf(original, analysis));
  prove(original, result, analysis.known);
  return { outcome: patched ? 'upgraded' : 'patched', source: result };
}

/** Takes the gate out of a bundle's text again; only where that gives the original's bytes by their hash. */
export function restoreSource(source: Source): RestoreOutcome {
  const examination = examine(source);
  if (!examination) return { outcome: 'unchanged' };
  const { status, reasons, original, patched } = examination;
  if (patched && original !== undefined) return { outcome: 'restored', source: original };
  return status === 'modified' ? { outcome: 'refused', status, reasons } : { outcome: 'unchanged' };
}

/** A failure here is a bug of ours: the rendered text is thrown away and nothing is written. */
function prove(original: Source, result: Source, known: boolean): void {
  // It takes the patch out of the result and puts it in again.
  const proof = examine(result);
  const whole = proof?.status === 'patched' && proof.original === original;
  // Released bytes were parsed, stock and patched, when they were recorded; of any other file the result is parsed now.
  if (whole && (known || parses(result))) return;
  throw new HoldopenError({
    code: 'proof-failed',
    message: 'the patched text did not prove itself, so nothing was written',
    hint: 'this is a bug in holdopen: please report it with the version of the SDK',
  });
}
