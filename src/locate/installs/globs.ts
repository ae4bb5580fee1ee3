/**
 * The globs of the `workspaces` field: `*`, `?`, `[a-z]`, `{a,b}`, `**` and a leading `!`. Written out here because
 * Node's own `fs.glob` is not in Node 20 and the libraries bring more code than the whole of this directory.
 */
export interface Glob {
  negated: boolean;
  /** One entry a path segment: a name, a test of a name, or `'**'`. */
  segments: (string | RegExp)[];
}

/** All that one pattern stands for, its braces written out. */
export function parseGlob(pattern: string): Glob[] {
  const bangs = /^!*/.exec(pattern)?.[0].length ?? 0;
  return expandBraces(pattern.slice(bangs)).map((plain) => ({
    negated: bangs % 2 === 1,
    segments: plain
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.')
      .map(parseSegment),
  }));
}

/** `a/{b,c}/d` -> `a/b/d`, `a/c/d`; nested braces from the inside out. */
function expandBraces(pattern: string): string[] {
  const brace = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (brace === null) return [pattern];
  const [whole, inner = ''] = brace;
  const before = pattern.slice(0, brace.index);
  const after = pattern.slice(brace.index + whole.length);
  return inner.split(',').flatMap((choice) => expandBraces(before + choice + after));
}

function parseSegment(segment: string): string | RegExp {
  if (segment === '**' || !/[*?[]/.test(segment)) return segment;
  const source = segment.replace(/\[!?[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '*') return '.*';
    if (part === '?') return '.';
    if (part.length > 1) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    return part.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  // As in every shell, a wildcard does not stand for the dot of a hidden name.
  return new RegExp(segment.startsWith('.') ? `^${source}$` : `^(?!\\.)${source}$`, 's');
}

/** Whether a name is what the segment stands for. */
export function matchesName(segment: string | RegExp, name: string): boolean {
  return typeof segment === 'string' ? segment === name : segment.test(name);
}

/** Whether a path, given in segments, is what the glob stands for. */
export function matchesPath(segments: Glob['segments'], path: string[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return path.length === 0;
  const [name, ...deeper] = path;
  if (segment === '**') {
    if (matchesPath(rest, path)) return true;
    return name !== undefined && !name.startsWith('.') && matchesPath(segments, deeper);
  }
  return name !== undefined && matchesName(segment, name) && matchesPath(rest, deeper);
}
