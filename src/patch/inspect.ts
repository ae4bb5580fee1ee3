import { type Analysis, analyze, fingerprintsOf } from '../locate/analyze.ts';
import { shapeSince } from '../locate/known.ts';
import type { Source } from '../locate/source.ts';
import type { Family, Fingerprints, Reason, Status } from '../types.ts';
import { gateHash, readMarker, takeOut } from './marker.ts';
import { render } from './render.ts';
import { GATE_HASH, GATE_NAME, REVISION } from './revision.ts';

/** What is known of one bundle. */
export interface Inspection {
  status: Status;
  family: Family | null;
  known: boolean;
  since: string | null;
  needs: string[];
  sites: number;
  reasons: Reason[];
  fingerprints: Fingerprints | null;
}

/** An inspection with what patch and restore need of it. */
export interface Examination {
  status: Status;
  reasons: Reason[];
  /** Of the original where that could be had, else of the text as it is. */
  analysis: Analysis;
  /** The unpatched text, proved by its hash; undefined where somebody changed it. */
  original: Source | undefined;
  /** Whether the text carries a patch of ours at all. */
  patched: boolean;
}

/**
 * The status of a bundle's text, with fingerprints. `source` is bytes as latin1 text (`locate/source.ts`).
 * undefined: the text does not hold the class, it is no bundle.
 */
export function inspectSource(source: Source): Inspection | undefined {
  const examination = examine(source);
  if (!examination) return undefined;
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

/** As {@link inspectSource}, of status and reasons only: normal forms cost as much as all the rest. */
export function glanceAt(source: Source): Inspection | undefined {
  const examination = examine(source);
  return examination && verdictAlone(examination);
}

/** Status and reasons, and nothing of what a bound class would say. */
function verdictAlone({ status, reasons }: Examination): Inspection {
  return {
    status,
    reasons,
    family: null,
    known: false,
    since: null,
    needs: [],
    sites: 0,
    fingerprints: null,
  };
}

/** Patching looks at a text that was inspected just before, and restoring at one that was just patched. */
let last: { source: Source; examination: Examination | undefined } | undefined;

/** The status of a bundle's text. A patch of ours is proved by taking it out and putting it in again. */
export function examine(source: Source): Examination | undefined {
  if (last?.source !== source) last = { source, examination: examineAnew(source) };
  return last.examination;
}

function examineAnew(source: Source): Examination | undefined {
  const search = readMarker(source);
  if (search.kind === 'none') {
    const analysis = analyze(source);
    if (analysis.kind === 'none') return undefined;
    if (carriesGate(source)) return modified('marker-missing', analysis, false);
    return { ...stockStatus(analysis), analysis, original: source, patched: false };
  }
  if (search.kind === 'damaged') return modified('marker-damaged', analyze(source), true);

  const { marker, at, after } = search;
  const taken = takeOut(source, marker, at);
  if (!taken) return modified('edited-after-patch', analyze(source), true);
  const { original } = taken;
  const analysis = analyze(original);
  const base = { analysis, original, patched: true };
  if (marker.revision > REVISION)
    return {
      ...base,
      status: 'modified',
      reasons: [{ code: 'gate-newer', args: { revision: marker.revision } }],
    };
  if (after !== '' || gateHash(taken.gate) !== marker.gate || analysis.kind !== 'bound')
    return { ...base, status: 'modified', reasons: [{ code: 'edited-after-patch' }] };
  if (taken.found < marker.edits.length) {
    const args = { found: taken.found, of: marker.edits.length };
    return { ...base, status: 'stale', reasons: [{ code: 'gate-incomplete', args }] };
  }
  if (render(original, analysis.roles, analysis.rule.family) === source)
    return { ...base, status: 'patched', reasons: [{ code: 'gate-current' }] };
  const older = marker.revision < REVISION || marker.gate !== GATE_HASH;
  return { ...base, status: 'stale', reasons: [{ code: older ? 'gate-older' : 'gate-incomplete' }] };
}

function modified(
  code: 'marker-missing' | 'marker-damaged' | 'edited-after-patch',
  analysis: Analysis,
  patched: boolean,
): Examination {
  return { status: 'modified', reasons: [{ code }], analysis, original: undefined, patched };
}

/** Whether a text without a marker has our gate in it: re-bundled, or its last line was cut off. */
function carriesGate(source: Source): boolean {
  return source.includes(GATE_NAME) || source.includes('HOLDOPEN_CEILING_MS');
}

function stockStatus(analysis: Exclude<Analysis, { kind: 'none' }>): { status: Status; reasons: Reason[] } {
  if (analysis.kind === 'unknown') return { status: 'unknown', reasons: analysis.reasons };
  if (analysis.endInput === 'empty') return { status: 'unaffected', reasons: [{ code: 'end-input-empty' }] };
  return { status: analysis.rule.status, reasons: [{ code: analysis.rule.reason }] };
}
