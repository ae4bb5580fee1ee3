import { isUnneeded } from '../release/report.ts';
import type { Change, CheckedRelease, FileDrift, News } from '../release/types.ts';

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
  const count = `${String(releases.length)} ${releases.length === 1 ? 'release' : 'releases'}`;
  const verdict = isUnneeded(releases)
    ? 'no patch is needed: holdopen can be removed'
    : bad.length === 0
      ? 'the patch holds'
      : `the patch does not hold on ${bad.map((release) => release.version).join(', ')}`;
  const failed = failures.length > 0 ? `; ${String(failures.length)} could not be checked` : '';
  return `${count}: ${releases.length === 0 ? 'nothing was checked' : verdict}${failed}.`;
}
