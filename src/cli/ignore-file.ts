import { join, resolve } from 'node:path';
import { validRange } from 'semver';
import { HoldopenError, systemCode } from '../errors.ts';
import { readRegular } from '../locate/installs/read.ts';
import { applyIgnores, entryName } from '../report/ignore.ts';
import { printable } from '../report/texts.ts';
import type { IgnoreEntry, Report } from '../types.ts';

const fileName = '.holdopen.json';

/** Where to look for the ignore file. */
interface Place {
  ignoreFile?: string | undefined;
  cwd: string;
}

/**
 * Marks what the project's ignore file accepts.
 * @param found what the audit found
 * @param place where the file is
 * @returns the report, and a line for each entry that no longer does anything: who wrote it has to know
 * @throws HoldopenError `bad-ignore-file`, `no-ignore-file`: a file that is only half understood ignores too much or too little
 */
export function applyIgnoreFile(found: Report, place: Place): { report: Report; warnings: string } {
  const path = place.ignoreFile ?? join(found.root, fileName);
  const text = read(resolve(place.cwd, path), place.ignoreFile);
  if (text === undefined) return { report: found, warnings: '' };
  const entries = parseIgnoreFile(text, path);
  const report = applyIgnores(found, entries, new Date().toISOString().slice(0, 10));
  const lines = (report.ignores ?? []).flatMap((entry) => {
    if (entry.state === 'used') return [];
    const why =
      entry.state === 'expired'
        ? `expired on ${entry.expires} and ignores nothing any more`
        : 'matches no finding';
    const next = entry.state === 'expired' ? 'npx holdopen patch, or give it a new date' : 'take it out';
    return [`holdopen: warning: the entry for ${entryName(entry)} in ${path} ${why}\n  next: ${next}\n`];
  });
  return { report, warnings: lines.map((line) => line.split('\n').map(printable).join('\n')).join('') };
}

/**
 * @param text of the ignore file
 * @param path as messages name it
 * @throws HoldopenError `bad-ignore-file`
 */
export function parseIgnoreFile(text: string, path: string): IgnoreEntry[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw bad(path, 'it is not valid JSON', error);
  }
  if (!isObject(value) || !Array.isArray(value.ignore)) throw bad(path, 'it has no list "ignore"');
  const other = Object.keys(value).find((key) => key !== 'ignore' && key !== '$schema');
  if (other !== undefined) throw bad(path, `"${other}" means nothing in it`);
  return value.ignore.map((entry: unknown, index) => parseEntry(entry, path, `entry ${index + 1}`));
}

const fields = ['path', 'package', 'version', 'reason', 'expires'] as const;

function parseEntry(value: unknown, path: string, name: string): IgnoreEntry {
  if (!isObject(value)) throw bad(path, `${name} is no object`);
  const other = Object.keys(value).find((key) => !(fields as readonly string[]).includes(key));
  if (other !== undefined) throw bad(path, `"${other}" means nothing in ${name}`);
  const wrong = fields.find(
    (key) => value[key] !== undefined && (typeof value[key] !== 'string' || value[key] === ''),
  );
  if (wrong !== undefined) throw bad(path, `"${wrong}" of ${name} is no text`);
  const entry = value as Partial<Record<(typeof fields)[number], string>>;
  const { reason, expires, version } = entry;
  if (reason?.trim() === undefined || reason.trim() === '') throw bad(path, `${name} has no "reason"`);
  if (expires === undefined || !isDate(expires))
    throw bad(path, `${name} has no date "expires" like 2026-12-31`);
  if (entry.path === undefined && entry.package === undefined)
    throw bad(path, `${name} has neither "path" nor "package"`);
  if (version !== undefined && (entry.package === undefined || validRange(version) === null))
    throw bad(path, `"version" of ${name} is no version or range of a "package"`);
  // As reports write it.
  const place = entry.path?.replace(/^\.\//, '').replace(/(?<=.)\/+$/, '');
  return { ...entry, ...(place !== undefined && { path: place }), reason, expires };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Also that there is such a day. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function read(path: string, named: string | undefined): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (named === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    throw new HoldopenError({
      code: 'no-ignore-file',
      message: `cannot read ${path}: ${code === 'ENOENT' ? 'there is no such file' : code}`,
      hint: `ls -l ${path}`,
      cause: error,
    });
  }
}

function bad(path: string, why: string, cause?: unknown): HoldopenError {
  return new HoldopenError({
    code: 'bad-ignore-file',
    message: printable(`cannot use ${path}: ${why}`),
    hint: 'write entries as { "package": "...", "version": "...", "reason": "...", "expires": "2026-12-31" }, or take the file away',
    cause,
  });
}
