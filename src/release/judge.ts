import { createHash } from 'node:crypto';
import type { BoundClass } from '../locate/analyze.ts';
import { Bundle } from '../locate/bundle.ts';
import type { Facts } from '../locate/facts.ts';
import { methodsThatMatter } from '../locate/fingerprints.ts';
import { type BundleFiles, findBundles } from '../locate/installs/bundles.ts';
import { scriptsBelow } from '../locate/installs/content.ts';
import { sdkPackage } from '../locate/installs/layout.ts';
import { shapeSince } from '../locate/known-shapes.ts';
import type { Source } from '../locate/source.ts';
import { patchBundle, restoreBundle } from '../patch/apply.ts';
import { type Examination, examine, found, inspectionOf } from '../patch/examine.ts';
import type { CatalogueBundle } from './catalogue.ts';
import { type Forms, formsOf } from './diff.ts';
import { emptyBundle, worstStatus } from '../status.ts';
import type { BundleReport, Reason, Status } from '../types.ts';

/** What is said of one bundle of a release, beyond what an audit says. */
export interface JudgedBundle {
  report: BundleReport;
  size: number;
  /** What the AST proves; null where not every role binds. */
  facts: Facts | null;
  /** By method: hash of its text as it is, whatever minifiers called things. Equal: not even renamed. */
  texts: Record<string, string>;
  /** Normal forms of all methods, where they were asked for. */
  forms: Forms;
  /** Whether the patch can be put in and taken out again byte for byte; true where none is needed. */
  patchable: boolean;
}

/** How to judge. */
export interface Judging {
  /** With the normal forms, to show them on the spot. */
  forms?: boolean | undefined;
  /** What is recorded of bytes, by their sha256: then it is not found out again, only whether the patch still holds. */
  recorded?: ((sha256: string) => CatalogueBundle | undefined) | undefined;
}

/** What is said of one release from its files alone. */
export interface Judgement {
  status: Status;
  patchable: boolean;
  bundles: JudgedBundle[];
}

/**
 * Judges the files of one package: finds the bundles, classifies them, and proves in memory that the patch holds.
 * Nothing is written and nothing of it is executed.
 * @param dir the package's directory
 * @param name the package's name: of any other package than the SDK every script is looked at
 */
export function judge(dir: string, name: string, options: Judging = {}): Judgement {
  const files = filesOf(dir, name);
  const bundles = files.candidates.flatMap(({ file, bundle }) => judgeBundle(file, bundle, options) ?? []);
  const found = new Set(bundles.map((bundle) => bundle.report.file));
  // What hosts import lies somewhere that we do not see.
  const lost = files.mains.filter((main) => !main.candidates.some((file) => found.has(file)));
  bundles.push(
    ...lost.map(({ file }) => nothing(file, 'unknown', { code: 'class-not-found' })),
    ...files.unreadable.map(({ file, detail }) =>
      nothing(file, 'unreadable', { code: 'cannot-read', args: { detail } }),
    ),
  );
  if (bundles.length === 0) bundles.push(nothing('.', 'unknown', { code: 'class-not-found' }));
  return {
    status: worstStatus(bundles.map((bundle) => bundle.report.status)),
    patchable: bundles.every((bundle) => bundle.patchable),
    bundles: bundles.sort((a, b) => (a.report.file < b.report.file ? -1 : 1)),
  };
}

function filesOf(dir: string, name: string): BundleFiles {
  const copy = { package: name, version: null, dir, layout: 'npm' } as const;
  if (name === sdkPackage) return findBundles(copy);
  return findBundles({
    ...copy,
    files: { kind: 'folder', names: scriptsBelow(dir, '', { addUnreadable: () => undefined }) },
  });
}

/** undefined: the file does not hold the class. */
function judgeBundle(file: string, bundle: Bundle, options: Judging): JudgedBundle | undefined {
  const recorded = options.forms ? undefined : options.recorded?.(bundle.hash);
  // What is recorded was proved when it was recorded: these bytes are whole, and their class is code.
  const examination = examine(bundle, ...(recorded ? [found] : []));
  if (!examination) return undefined;
  if (recorded) return judgeRecorded(file, bundle, examination, recorded);
  const { analysis, original } = examination;
  const report = { ...inspectionOf(examination, bundle), file, sha256: bundle.hash };
  const bound = analysis.kind === 'bound' ? analysis : undefined;
  return {
    report: emptyBundle(file, report.status, report.reasons, report),
    size: bundle.bytes.length,
    facts: bound?.facts ?? null,
    texts: bound && original ? textsOf(bound, original.text) : {},
    forms: bound && options.forms === true ? formsOf(bound.roles) : new Map<string, string>(),
    patchable: isPatchable(bundle, examination),
  };
}

/** Bytes that are recorded: the catalogue says what they are, and the patch is proved of them all the same. */
function judgeRecorded(
  file: string,
  bundle: Bundle,
  examination: Examination,
  { size, family, sites, needs, fingerprints, texts, facts }: CatalogueBundle,
): JudgedBundle {
  const { status, reasons } = examination;
  const since = fingerprints ? (shapeSince(fingerprints.class) ?? null) : null;
  const known = since !== null;
  const seen = { sha256: bundle.hash, family, known, since, needs, sites, fingerprints };
  return {
    report: emptyBundle(file, status, reasons, seen),
    size,
    facts,
    texts,
    forms: new Map(),
    patchable: isPatchable(bundle, examination),
  };
}

function isPatchable(bundle: Bundle, { status, original }: Examination): boolean {
  if (status === 'unaffected' || status === 'patched') return true;
  const patched = patchBundle(bundle);
  if (patched.outcome !== 'patched' && patched.outcome !== 'upgraded') return false;
  const restored = restoreBundle(new Bundle(patched.source));
  return restored.outcome === 'restored' && restored.source === original?.text;
}

function textsOf({ roles }: BoundClass, source: Source): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of methodsThatMatter(roles)) {
    const method = roles.methods.get(name);
    if (method) texts[name] = shortHash(source.slice(method.start, method.end));
  }
  return texts;
}

/** 32 bits: it is only asked whether two texts of one role are equal. */
function shortHash(text: Source): string {
  return createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 8);
}

function nothing(file: string, status: Status, reason: Reason): JudgedBundle {
  return {
    report: emptyBundle(file, status, [reason]),
    size: 0,
    facts: null,
    texts: {},
    forms: new Map(),
    patchable: false,
  };
}
