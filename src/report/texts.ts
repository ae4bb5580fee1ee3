import type { Change, CheckedRelease, FileDrift, News } from '../release/types.ts';
import type { BundleReport, Reason, ReasonCode, Status } from '../types.ts';

type Args = Readonly<Record<string, string | number>>;

/** What a status means, for somebody who reads it for the first time. */
export const statusTexts: Record<Status, string> = {
  unaffected: 'cannot end the input of the CLI early',
  patched: 'carries our gate, in its current revision, at every site',
  partial: 'waits for the session to be idle, not for background shells and the like',
  stale: 'carries an older or incomplete gate of ours',
  affected: 'may end the input of the CLI while work is outstanding',
  modified: 'was edited after it was patched, or by somebody else around our sites',
  unknown: 'cannot be told: it does not have the structure that we know',
  unreadable: 'could not be read',
};

/** Why a bundle has its status, one clause without a full stop; it follows the name of a file. */
export const reasonTexts: Record<ReasonCode, (args: Args) => string> = {
  'ends-after-timer': () =>
    'ends the CLI\'s input when a timer runs out, even while the first turn is running; later permission prompts, hooks and in-process tools fail with "Stream closed"',
  'ends-after-inactivity': () =>
    'ends the CLI\'s input after a silence, whatever is outstanding; later permission prompts, hooks and in-process tools fail with "Stream closed"',
  'ends-at-first-result': () =>
    'ends the CLI\'s input at the first result, whatever is outstanding; later permission prompts, hooks and in-process tools fail with "Stream closed"',
  'ends-at-idle': () =>
    "ends the CLI's input when the session is idle, which it also is while background shells, monitors and the like still run",
  'end-input-empty': () => 'has no transport that can end the input',
  'gate-current': () => 'carries our gate at every site',
  'gate-older': () => 'carries an older gate of ours',
  'gate-newer': ({ revision }) =>
    `was patched by a newer holdopen than this one${known(revision, ' (revision ', ')')}; use that one`,
  'gate-incomplete': ({ found, of }) =>
    `carries ${found === undefined ? 'some' : found} of the ${known(of, '', ' ')}pieces of our gate only`,
  'edited-after-patch': () => 'was edited after it was patched, so that the original cannot be proved',
  'marker-damaged': () => 'carries our gate and a damaged marker, so that the original cannot be proved',
  'marker-missing': () => 'carries our gate and no marker, so that the original cannot be proved',
  'class-not-found': () =>
    'does not hold the class that ends the input, where every known release has it; a newer holdopen may know this release',
  'class-ambiguous': ({ found }) =>
    `holds the class that ends the input ${found === undefined ? 'more than once' : `${found} times`}, so that none can be told apart`,
  'class-too-deep': ({ most }) =>
    `nests the class that ends the input ${most === undefined ? 'too deep' : `more than ${most} levels deep`}, which no known release does`,
  'role-not-bound': ({ role, found }) =>
    `has a structure that we do not know${known(role, ': ')}${known(found, ' was found ', found === 1 ? ' time' : ' times')}; a newer holdopen may know this release`,
  'not-javascript': ({ at }) => `is not whole JavaScript${known(at, ': it cannot be parsed from byte ')}`,
  'not-code': ({ at }) => `has the class in a string or a comment only${known(at, ', at byte ')}`,
  'cannot-read': ({ detail }) => `cannot be read${known(detail, ': ')}`,
};

/** A reason in words; see `reasonTexts`. */
export function reasonText(reason: Reason): string {
  return reasonTexts[reason.code](reason.args ?? {});
}

/** `known shape since 0.3.284` or `new shape`; nothing where no shape was found. */
export function shapeText({ since, fingerprints }: Pick<BundleReport, 'since' | 'fingerprints'>): string {
  if (fingerprints === null) return '';
  return since === null ? 'new shape' : `known shape since ${since}`;
}

/** A part of a sentence that is there only where its argument is. */
function known(value: string | number | undefined, before: string, after = ''): string {
  return value === undefined ? '' : `${before}${value}${after}`;
}

/** Names and paths come from the inspected tree: no escape sequence of theirs may reach the terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\uFFFD');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Text for an attribute or an element of XML or HTML. XML 1.0 has no place for control characters and halves of pairs at
 * all.
 */
export function xml(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]|\p{Surrogate}/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** What somebody should hear of, as the end of a sentence that begins with the version. */
export const newsTexts: Record<News, string> = {
  unpatchable: 'cannot be patched: it stays as it is until holdopen knows it',
  changed: 'is not what the catalogue recorded under this version: other bytes or another verdict',
  family: 'ends input in another way than the release before',
  facts: 'what decides the end of input has changed, in the same family',
  bundles: 'has other bundles than the release before',
  unneeded: 'needs no patch: holdopen can be removed once nothing older is installed',
  shape: 'has code in another form than any release before; what it does is the same',
};

/** One changed fact: `needs +onUserDialog`, `endInput moved: +endRun -readMessages`. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'family':
      return `family ${change.from ?? 'none'} -> ${change.to ?? 'none'}`;
    case 'status':
      return `status ${change.from} -> ${change.to}`;
    case 'needs':
      return `needs ${signed(change)}`;
    case 'sites':
      return change.removed.length > 0
        ? `endInput moved: ${signed(change)}`
        : `endInput new: ${signed(change)}`;
    case 'needs-method':
      return `needs are tested by ${change.to}, before ${change.from}`;
    case 'waits':
      return `waits for ${change.to}, before ${change.from}`;
    case 'end-input':
      return `endInput of the transport ${change.to}, before ${change.from}`;
    case 'transport':
      return `the transport is in ${change.to}, before ${change.from}`;
  }
}

function signed({ added, removed }: { added: string[]; removed: string[] }): string {
  return [...added.map((name) => `+${name}`), ...removed.map((name) => `-${name}`)].join(' ');
}

/** How one bundle differs from the one before, in one clause. */
export function driftText({ level, roles, changes }: FileDrift): string {
  const other = roles.filter((role) => role.level !== 'renamed');
  const where = other.map(({ role, level }) => (level === 'normal-form' ? role : `${role} (${level})`));
  switch (level) {
    case 'same':
      return 'same file';
    case 'bytes':
      return 'other bytes, same class';
    case 'renamed':
      return 'renamed only';
    case 'normal-form':
      return `same facts, other code in ${where.join(', ')}`;
    case 'facts':
      return changes.map(changeText).join('; ') || 'other facts';
    case 'unknown':
      return 'other bytes, and no class that could be compared';
    case 'added':
      return 'new bundle';
    case 'removed':
      return 'no longer there';
  }
}

/** The same of a file of a release; empty where there is nothing to compare it with. */
export function driftOf({ drift }: Pick<CheckedRelease, 'drift'>, file: string): string {
  const change = drift.find((one) => one.file === file);
  return change ? driftText(change) : '';
}

/** Some clauses, of which any may be empty, as one. */
export function clauses(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('; ');
}

/** Whether the patch holds, in a few words. */
export function verdictText({ status, patchable }: Pick<CheckedRelease, 'status' | 'patchable'>): string {
  if (!patchable) return 'the patch does not hold';
  return status === 'unaffected' ? 'needs no patch' : 'the patch holds';
}

/** `0.3.205`, or with its package where that is not the one that is checked. */
export function releaseName(release: CheckedRelease, ofPackage: string): string {
  return release.package === ofPackage ? release.version : `${release.package}@${release.version}`;
}

/** The whole run in one sentence. */
export function summaryText({
  releases,
  failures,
}: {
  releases: readonly CheckedRelease[];
  failures: readonly unknown[];
}): string {
  const bad = releases.filter((release) => !release.patchable);
  const count = `${releases.length} ${releases.length === 1 ? 'release' : 'releases'}`;
  const isUnneeded = releases.length > 0 && releases.every(({ news }) => news.includes('unneeded'));
  const verdict = isUnneeded
    ? 'no patch is needed: holdopen can be removed'
    : bad.length === 0
      ? 'the patch holds'
      : `the patch does not hold on ${bad.map((release) => release.version).join(', ')}`;
  const failed = failures.length > 0 ? `; ${failures.length} could not be checked` : '';
  return `${count}: ${releases.length === 0 ? 'nothing was checked' : verdict}${failed}.`;
}
