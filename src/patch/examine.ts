import type { Analysis } from '../locate/analyze.ts';
import { Bundle } from '../locate/bundle.ts';
import { shapeSince } from '../locate/known-shapes.ts';
import type { BundleReport, Reason, Status } from '../types.ts';
import { GATE_HASH } from './gate-text.ts';
import { type Marker, REVISION, readMarker } from './marker.ts';
import { Rendering, gateHash, takeOut } from './rendering.ts';

/** What is known of one bundle from its text alone. */
export type Inspection = Omit<BundleReport, 'file' | 'sha256'>;

/** What a text is, with what patch and restore need of it. */
export interface Examination {
  status: Status;
  reasons: Reason[];
  /** Of the original where that could be had, else of the text as it is. */
  analysis: Exclude<Analysis, { kind: 'none' }>;
  /** The unpatched bundle, proved by its hash; undefined where somebody changed it. */
  original: Bundle | undefined;
  /** Its patch, where its class binds and input ends. */
  rendering: Rendering | undefined;
  /** Whether the text carries a patch of ours at all. */
  patched: boolean;
}

/** Which analysis to go by: one that is `proved`, or, for who proves the result, one that was only `found`. */
type Look = (bundle: Bundle) => Analysis;

const proved: Look = (bundle) => bundle.analysis;
export const found: Look = (bundle) => bundle.found;

/**
 * The status of a bundle's text. A patch of ours is proved by taking it out and putting it in again.
 * @param bundle the text
 * @param look how to look at its class
 * @returns undefined where the text does not hold the class: it is no bundle
 */
export function examine(bundle: Bundle, look: Look = proved): Examination | undefined {
  const search = readMarker(bundle.text);
  if (search.kind === 'none') return stock(bundle, look);
  if (search.kind === 'damaged') return carrying(bundle, look, 'marker-damaged');
  const { marker, at, after } = search;
  const taken = takeOut(bundle.text, marker, at);
  if (!taken) return carrying(bundle, look, 'edited-after-patch');

  const original = new Bundle(taken.original);
  const analysis = look(original);
  if (analysis.kind === 'none') return carrying(bundle, look, 'edited-after-patch');
  const rendering = analysis.kind === 'bound' ? new Rendering(original, analysis) : undefined;
  const base = { analysis, original, rendering, patched: true };
  if (marker.revision > REVISION)
    return { ...base, ...because('modified', 'gate-newer', { revision: marker.revision }) };
  if (after !== '' || gateHash(taken.gate) !== marker.gate || !rendering)
    return { ...base, ...because('modified', 'edited-after-patch') };
  if (taken.found < marker.edits.length)
    return {
      ...base,
      ...because('stale', 'gate-incomplete', { found: taken.found, of: marker.edits.length }),
    };
  if (rendering.result === bundle.text) return { ...base, ...because('patched', 'gate-current') };
  return { ...base, ...because('stale', isOlder(marker) ? 'gate-older' : 'gate-incomplete') };
}

function isOlder({ revision, gate }: Marker): boolean {
  return revision < REVISION || gate !== GATE_HASH;
}

function stock(bundle: Bundle, look: Look): Examination | undefined {
  // Asked first: nothing is patched there, and a parse would be for nothing.
  const analysis = bundle.hasNoInput ? bundle.found : look(bundle);
  if (analysis.kind === 'none') return undefined;
  if (carriesGate(bundle)) return carrying(bundle, look, 'marker-missing', false);
  const base = { analysis, original: bundle, rendering: undefined, patched: false };
  if (bundle.hasNoInput) return { ...base, ...because('unaffected', 'end-input-empty') };
  if (analysis.kind === 'unknown') return { ...base, status: 'unknown', reasons: analysis.reasons };
  const { status, reason } = analysis.rule;
  return { ...base, rendering: new Rendering(bundle, analysis), ...because(status, reason) };
}

/** A text with a patch of ours in it that cannot be taken out. */
function carrying(bundle: Bundle, look: Look, code: Reason['code'], patched = true): Examination {
  const seen = look(bundle);
  const analysis: Examination['analysis'] =
    seen.kind === 'none' ? { kind: 'unknown', reasons: [{ code: 'class-not-found' }] } : seen;
  return { analysis, original: undefined, rendering: undefined, patched, ...because('modified', code) };
}

/** Whether a text without a marker has our gate in it: re-bundled, or its last line was cut off. */
function carriesGate({ bytes }: Bundle): boolean {
  return bytes.includes('$holdopen') || bytes.includes('HOLDOPEN_CEILING_MS');
}

function because(
  status: Status,
  code: Reason['code'],
  args?: Reason['args'],
): Pick<Examination, 'status' | 'reasons'> {
  return { status, reasons: [args ? { code, args } : { code }] };
}

/**
 * The status of a bundle's text, with fingerprints.
 * @returns undefined: the text does not hold the class, it is no bundle
 */
export function inspectBundle(bundle: Bundle): Inspection | undefined {
  const examination = examine(bundle);
  return examination && inspectionOf(examination, bundle);
}

/** What an examination says of a bundle, with fingerprints. */
export function inspectionOf(
  { status, reasons, analysis, original }: Examination,
  bundle: Bundle,
): Inspection {
  const none = {
    status,
    reasons,
    family: null,
    known: false,
    since: null,
    needs: [],
    sites: 0,
    fingerprints: null,
  };
  if (analysis.kind !== 'bound') return none;
  const fingerprints = (original ?? bundle).fingerprints ?? null;
  const since = (fingerprints && shapeSince(fingerprints.class)) ?? null;
  const { rule, roles } = analysis;
  return {
    ...none,
    family: rule.family,
    known: since !== null,
    since,
    needs: roles.needs.terms,
    sites: roles.sites.length,
    fingerprints,
  };
}
