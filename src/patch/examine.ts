import { type Source, sha256 } from '../locate/source.ts';
import type { Reason, Status } from '../types.ts';
import { type Binding, bind, placesOf, recall } from './binding.ts';
import { GATE_NAME } from './gate-function.ts';
import { gateHash, markerAtEnd, readMarker, takeOut } from './marker.ts';
import { render } from './render.ts';
import { GATE_HASH, REVISION } from './revision.ts';
import { type Inspection, verdictAlone } from './verdict.ts';

/** What a text is, with what patch and restore need of it. `A`: what tells of an unpatched text. */
export interface Examination<A extends Binding = Binding> {
  status: Status;
  reasons: Reason[];
  /** Of the original where that could be had, else of the text as it is. */
  analysis: A;
  /** The unpatched text, proved by its hash; undefined where somebody changed it. */
  original: Source | undefined;
  /** Whether the text carries a patch of ours at all. */
  patched: boolean;
}

/** Status and reasons alone, of which recorded bytes need no parser: normal forms cost as much as all the rest. */
export function glanceAt(source: Source): Inspection | undefined {
  const examination = examine(source);
  return examination && verdictAlone(examination);
}

/** Patching looks at a text that was inspected just before, and restoring at one that was just patched. */
let last: { source: Source; examination: Examination | undefined } | undefined;

/** The status of a bundle's text. A patch of ours is proved by taking it out and putting it in again. */
export function examine(source: Source): Examination | undefined {
  if (last?.source !== source) last = { source, examination: recallStock(source) ?? examineBy(bind, source) };
  return last.examination;
}

/** What is recorded of these very bytes, which are then as they were released: no search tells more. */
function recallStock(source: Source): Examination | undefined {
  // A patched text is never recorded, and its hash would be for nothing.
  const analysis = markerAtEnd(source) >= 0 ? undefined : recall(sha256(source));
  return analysis && { ...stockStatus(analysis), analysis, original: source, patched: false };
}

/** As {@link examine}, by another way to tell of an unpatched text: `analyze`, for who needs more than a patch does. */
export function examineBy<A extends Binding>(
  analyze: (source: Source) => A,
  source: Source,
): Examination<A> | undefined {
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
  if (render(original, placesOf(original, analysis)) === source)
    return { ...base, status: 'patched', reasons: [{ code: 'gate-current' }] };
  const older = marker.revision < REVISION || marker.gate !== GATE_HASH;
  return { ...base, status: 'stale', reasons: [{ code: older ? 'gate-older' : 'gate-incomplete' }] };
}

function modified<A extends Binding>(
  code: 'marker-missing' | 'marker-damaged' | 'edited-after-patch',
  analysis: A,
  patched: boolean,
): Examination<A> {
  return { status: 'modified', reasons: [{ code }], analysis, original: undefined, patched };
}

/** Whether a text without a marker has our gate in it: re-bundled, or its last line was cut off. */
function carriesGate(source: Source): boolean {
  return source.includes(GATE_NAME) || source.includes('HOLDOPEN_CEILING_MS');
}

function stockStatus(analysis: Exclude<Binding, { kind: 'none' }>): { status: Status; reasons: Reason[] } {
  if (analysis.kind === 'unknown') return { status: 'unknown', reasons: analysis.reasons };
  if (analysis.endInput === 'empty') return { status: 'unaffected', reasons: [{ code: 'end-input-empty' }] };
  return { status: analysis.rule.status, reasons: [{ code: analysis.rule.reason }] };
}
