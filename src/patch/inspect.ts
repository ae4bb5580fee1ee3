import { type Analysis, analyze, fingerprintsOf } from '../locate/analyze.ts';
import { shapeSince } from '../locate/known.ts';
import type { Source } from '../locate/source.ts';
import { type Examination, examineBy } from './examine.ts';
import { type Inspection, verdictAlone } from './verdict.ts';

/**
 * The status of a bundle's text, with fingerprints. `source` is bytes as latin1 text (`locate/source.ts`).
 * undefined: the text does not hold the class, it is no bundle.
 */
export function inspectSource(source: Source): Inspection | undefined {
  const examination = examineBy(analyze, source);
  return examination && inspectionOf(examination);
}

/** What an examination says of a bundle, with fingerprints. */
export function inspectionOf(examination: Examination<Analysis>): Inspection {
  const { status, reasons, analysis } = examination;
  if (analysis.kind !== 'bound') return verdictAlone(examination);
  const fingerprints = fingerprintsOf(analysis);
  const since = shapeSince(fingerprints.class) ?? null;
  return {
    status,
    reasons,
    family: analysis.rule.family,
    known: since !== null,
    since,
    needs: analysis.roles.needs.terms,
    sites: analysis.roles.sites.length,
    fingerprints,
  };
}
