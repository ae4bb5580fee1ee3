import type { Facts } from '../locate/facts.ts';
import type { CatalogueBundle, CatalogueRelease } from './catalogue.ts';
import type { Change, DriftLevel, FileDrift, RoleDrift } from './types.ts';

type Bundles = Pick<CatalogueRelease, 'bundles'>;

/**
 * What sets a release apart from an earlier one, bundle by bundle: from recorded hashes and facts alone, so that the
 * earlier one need not be there.
 */
export function driftBetween(before: Bundles, after: Bundles): FileDrift[] {
  const left = new Set(before.bundles);
  const take = (test: (bundle: CatalogueBundle) => boolean): CatalogueBundle | undefined => {
    const found = [...left].find(test);
    if (found) left.delete(found);
    return found;
  };
  // Equal names first: a chunk whose name changed must not take another one's place.
  const pairs = new Map(after.bundles.map((bundle) => [bundle, take(({ file }) => file === bundle.file)]));
  const drift = [...pairs].map(([bundle, equal]) => {
    const partner = equal ?? take(({ file }) => stem(file) === stem(bundle.file));
    return partner ? fileDrift(partner, bundle) : lonely(bundle, 'added');
  });
  return [...drift, ...[...left].map((bundle) => lonely(bundle, 'removed'))];
}

/** How deep the deepest change goes. What came, went or cannot be compared is not on the ladder and counts as facts. */
export function deepest(drift: readonly FileDrift[]): DriftLevel {
  const ladder: DriftLevel[] = ['same', 'bytes', 'renamed', 'normal-form'];
  const steps = drift.map(({ level }) => ladder.indexOf(level));
  return steps.includes(-1) ? 'facts' : (ladder[Math.max(0, ...steps)] ?? 'same');
}

/** `core-2g5j09ba.mjs` has another name in every release. */
function stem(file: string): string {
  return file.replace(/-[a-z0-9]{8}(?=\.[cm]?js$)/i, '-*');
}

function lonely({ file }: CatalogueBundle, level: 'added' | 'removed'): FileDrift {
  return { file, level, roles: [], changes: [] };
}

function fileDrift(before: CatalogueBundle, after: CatalogueBundle): FileDrift {
  const { file } = after;
  if (before.sha256 === after.sha256) return { file, level: 'same', roles: [], changes: [] };
  const changes = changesBetween(before, after);
  const roles = rolesBetween(before, after);
  if (changes.length === 0 && (before.fingerprints === null || after.fingerprints === null))
    return { file, level: 'unknown', roles: [], changes };
  let level: DriftLevel = roles.length > 0 ? 'renamed' : 'bytes';
  if (roles.some((role) => role.level !== 'renamed')) level = 'normal-form';
  if (changes.length > 0 || before.fingerprints?.facts !== after.fingerprints?.facts) level = 'facts';
  return { file, level, roles, changes };
}

function rolesBetween(before: CatalogueBundle, after: CatalogueBundle): RoleDrift[] {
  const [old, now] = [before.fingerprints?.methods ?? {}, after.fingerprints?.methods ?? {}];
  const names = [...new Set([...Object.keys(now), ...Object.keys(old)])];
  const roles = names.flatMap((role): RoleDrift[] => {
    if (old[role] === undefined) return [{ role, level: 'added' }];
    if (now[role] === undefined) return [{ role, level: 'removed' }];
    if (old[role] !== now[role]) return [{ role, level: 'normal-form' }];
    return before.texts[role] === after.texts[role] ? [] : [{ role, level: 'renamed' }];
  });
  const known = roles.some(({ level }) => level !== 'renamed');
  // The methods that matter are the same, the class is not: something beside them changed.
  if (!known && before.fingerprints?.class !== after.fingerprints?.class)
    roles.push({ role: 'the rest', level: 'normal-form' });
  return roles;
}

function changesBetween(before: CatalogueBundle, after: CatalogueBundle): Change[] {
  const changes: Change[] = [];
  if (before.family !== after.family) changes.push({ kind: 'family', from: before.family, to: after.family });
  if (before.status !== after.status) changes.push({ kind: 'status', from: before.status, to: after.status });
  const [old, now] = [before.facts, after.facts];
  if (old === null || now === null) return changes;
  for (const kind of ['needs', 'sites'] as const) {
    const [added, removed] = [without(now[kind], old[kind]), without(old[kind], now[kind])];
    if (added.length + removed.length > 0) changes.push({ kind, added, removed });
  }
  const scalars: [Extract<Change, { from: string; to: string }>['kind'], (facts: Facts) => string][] = [
    ['needs-method', (facts) => facts.needsMethod ?? 'in place'],
    ['waits', (facts) => facts.waits.join(', ') || 'none'],
    ['end-input', (facts) => facts.endInput],
    ['transport', (facts) => facts.transport],
  ];
  for (const [kind, of] of scalars)
    if (of(old) !== of(now)) changes.push({ kind, from: of(old), to: of(now) } as Change);
  return changes;
}

/** `items` less `others`, each as often as it is there: a second site in one method is one more. */
function without(items: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return items.filter((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
