import { satisfies } from 'semver';
import type { CopyReport, IgnoreEntry, IgnoreResult, Report } from '../types.ts';

/**
 * Marks the copies that somebody has accepted as they are. A copy that is fine needs no entry, and one that could not
 * be read takes none: nobody knows what is accepted.
 * @param report what was found
 * @param entries of the ignore file
 * @param today `2026-12-31`; an entry holds through its last day
 */
export function applyIgnores(report: Report, entries: readonly IgnoreEntry[], today: string): Report {
  const used = new Set<IgnoreEntry>();
  const copies = report.copies.map((copy): CopyReport => {
    if (copy.status === 'patched' || copy.status === 'unaffected' || copy.status === 'unreadable')
      return copy;
    const matching = entries.filter((entry) => matches(entry, copy));
    for (const entry of matching) used.add(entry);
    const entry = matching.find(({ expires }) => expires >= today);
    return entry ? { ...copy, ignored: { reason: entry.reason, expires: entry.expires } } : copy;
  });
  const stateOf = (entry: IgnoreEntry): IgnoreResult['state'] =>
    entry.expires < today ? 'expired' : used.has(entry) ? 'used' : 'unused';
  return { ...report, copies, ignores: entries.map((entry) => ({ ...entry, state: stateOf(entry) })) };
}

/** `node_modules/x` in words, or `y 1.0.0`: how an entry is called in messages. */
export function entryName({ path, package: name, version }: IgnoreEntry): string {
  const parts = [
    name === undefined ? undefined : `${name}${version === undefined ? '' : ` ${version}`}`,
    path,
  ];
  return parts.filter((part) => part !== undefined).join(' in ');
}

function matches({ path, package: name, version }: IgnoreEntry, copy: CopyReport): boolean {
  if (path !== undefined && copy.path !== path && !copy.path.startsWith(`${path}/`)) return false;
  if (name !== undefined && copy.package !== name) return false;
  if (version === undefined) return true;
  return copy.version !== null && satisfies(copy.version, version, { includePrerelease: true });
}
