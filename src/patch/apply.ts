import { HoldopenError } from '../errors.ts';
import type { Bundle } from '../locate/bundle.ts';
import type { Source } from '../locate/source.ts';
import type { Reason, Status } from '../types.ts';
import { type Examination, examine, found } from './examine.ts';
import { isUntouchedPatch } from './marker.ts';

/** What putting the patch in, or taking it out, gave. */
export type Outcome<Done extends string> =
  | { outcome: Done; source: Source }
  | { outcome: 'unchanged' }
  | { outcome: 'refused'; status: Status; reasons: Reason[] };

export type PatchOutcome = Outcome<'patched' | 'upgraded'>;
export type RestoreOutcome = Outcome<'restored'>;

/**
 * Puts the gate into a bundle. The result has been proved in memory: it is whole JavaScript, and taking the patch out again
 * gives the original's bytes. Already patched and unaffected bundles, and texts without the class, are `unchanged`; what
 * cannot be proved is `refused`.
 * @throws HoldopenError `proof-failed`, a bug in holdopen
 */
export function patchBundle(bundle: Bundle): PatchOutcome {
  if (isUntouchedPatch(bundle.bytes)) return { outcome: 'unchanged' };
  // The proof of the result is one of the original: what is found has not to be proved before.
  const examination = examine(bundle, found);
  return examination ? patchExamined(examination) : { outcome: 'unchanged' };
}

function patchExamined({ status, reasons, rendering, patched }: Examination): PatchOutcome {
  if (status === 'patched' || status === 'unaffected') return { outcome: 'unchanged' };
  const wanted = status === 'affected' || status === 'partial' || status === 'stale';
  if (!wanted || !rendering) return { outcome: 'refused', status, reasons };
  if (rendering.isProved()) return { outcome: patched ? 'upgraded' : 'patched', source: rendering.result };
  const { analysis } = rendering.original;
  if (analysis.kind === 'unknown')
    return { outcome: 'refused', status: 'unknown', reasons: analysis.reasons };
  // Nothing is written: the rendered text is thrown away.
  throw new HoldopenError({
    code: 'proof-failed',
    message: 'the patched text did not prove itself, so nothing was written',
    hint: 'this is a bug in holdopen: please report it with the version of the SDK',
  });
}

/** Takes the gate out of a bundle again; only where that gives the original's bytes by their hash. */
export function restoreBundle(bundle: Bundle): RestoreOutcome {
  const examination = examine(bundle, found);
  if (!examination) return { outcome: 'unchanged' };
  const { status, reasons, original, patched } = examination;
  if (patched && original) return { outcome: 'restored', source: original.text };
  return status === 'modified' ? { outcome: 'refused', status, reasons } : { outcome: 'unchanged' };
}
