import type { AnyNode, Class } from 'acorn';
import { ANCHOR, SITE, mayHoldClass, methodKeys } from './anchors.ts';
import { keyName, walk } from './ast.ts';
import { parseAtom, parseProgram } from './parser.ts';
import { type Source, displayText } from './source.ts';

export type RegionSearch =
  | { kind: 'none' }
  | { kind: 'found'; classes: Class[] }
  | { kind: 'failed'; reason: 'class-not-found' | 'not-javascript'; at?: number };

/**
 * Finds every class with a method `streamInput` by parsing just that class. The whole file is read only where the text says
 * that there should be one and no class binds, or where it seems to have several: one may be text in a string.
 */
export function findClasses(source: Source): RegionSearch {
  if (!mayHoldClass(source)) return { kind: 'none' };
  const classes: Class[] = [];
  for (const at of methodKeys(source)) {
    if (classes.some(({ start, end }) => start < at && at < end)) continue;
    const { found, sure } = enclosingClass(source, at, hasAnchor);
    if (!sure) return findInWholeFile(source);
    if (found) classes.push(found);
  }
  return classes.length === 1 ? { kind: 'found', classes } : findInWholeFile(source);
}

/** The classes with a method `streamInput` that a parse of the whole text finds. */
interface Parsed {
  starts: number[];
  callsEndInput: boolean;
}

/**
 * Parses the whole file: it proves that a region is code (not text in a comment) and the file is not cut off.
 * @returns byte offsets, or how far the parser came
 */
export function parsedClasses(source: Source): Parsed | { failedAt: number } {
  let failedAt = 0;
  for (const { text, byteAt } of readings(source)) {
    for (const sourceType of ['module', 'script'] as const) {
      try {
        const { starts, callsEndInput } = lookThrough(parseProgram(text, sourceType));
        return { starts: starts.map(byteAt), callsEndInput };
      } catch (error) {
        failedAt = Math.max(failedAt, byteAt((error as { pos?: number }).pos ?? 0));
      }
    }
  }
  return { failedAt };
}

/** A text as bytes, which is right for nearly all code, and as what the bytes stand for, where names have other letters. */
function readings(source: Source): { text: string; byteAt: (offset: number) => number }[] {
  // A byte order mark is three latin1 characters that no parser takes; blanks keep the offsets. Behind it a hashbang is no
  // longer the first thing, but Node takes it: `#!` becomes the `//` that it is.
  const text = source.replace(/^\u00ef\u00bb\u00bf(#!)?/, (_, bang) => (bang ? '   //' : '   '));
  const asBytes = { text, byteAt: (offset: number) => offset };
  if (!/[\u0080-\u00ff]/.test(text)) return [asBytes];
  const decoded = displayText(text);
  return [asBytes, { text: decoded, byteAt: (offset) => Buffer.byteLength(decoded.slice(0, offset)) }];
}

function lookThrough(program: AnyNode): Parsed {
  const starts: number[] = [];
  let callsEndInput = false;
  walk(program, (node) => {
    if ((node.type === 'ClassExpression' || node.type === 'ClassDeclaration') && hasAnchor(node))
      starts.push(node.start);
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { property, computed } = node.callee;
      callsEndInput ||= !computed && property.type === 'Identifier' && property.name === SITE;
    }
  });
  return { starts, callsEndInput };
}

function findInWholeFile(source: Source): RegionSearch {
  const whole = parsedClasses(source);
  if ('failedAt' in whole) return { kind: 'failed', reason: 'not-javascript', at: whole.failedAt };
  const classes = whole.starts.flatMap((start) => classAt(source, start) ?? []);
  if (classes.length > 0) return { kind: 'found', classes };
  // A chunk that only defines a transport, or only calls streamInput, is no bundle; one that ends input is.
  return whole.callsEndInput ? { kind: 'failed', reason: 'class-not-found' } : { kind: 'none' };
}

/** How many `class` words before the anchor are tried: nested classes and strings lie between. */
const MOST_TRIES = 64;

/** The innermost class around an offset for which `test` holds, parsed alone. `sure`: all that can be it were tried. */
export function enclosingClass(
  source: Source,
  at: number,
  test: (node: Class) => boolean,
): { found?: Class; sure: boolean } {
  let start = source.lastIndexOf('class', at);
  for (let tries = 0; start >= 0 && tries < MOST_TRIES; tries += 1) {
    const found = classAt(source, start);
    if (found && found.end > at && test(found)) return { found, sure: true };
    start = start === 0 ? -1 : source.lastIndexOf('class', start - 1);
  }
  return { sure: start < 0 };
}

// class{   class A{   class/**/A{   [...class{   but not   a.class   subclass
function classAt(source: Source, start: number): Class | undefined {
  const before = source.slice(Math.max(0, start - 3), start);
  if (/[\w$]$/.test(before) || (before.endsWith('.') && before !== '...')) return undefined;
  if (!/[\s{/]/.test(source[start + 5] ?? '')) return undefined;
  try {
    const node = parseAtom(source, start);
    return node.type === 'ClassExpression' ? node : undefined;
  } catch {
    // Text or a comment that says "class": not a region.
    return undefined;
  }
}

/** Spelt out: with an escape in its name it is somebody's riddle. */
function hasAnchor(node: Class): boolean {
  return node.body.body.some(
    (member) =>
      (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') &&
      keyName(member) === ANCHOR &&
      member.key.end - member.key.start === ANCHOR.length + (member.key.type === 'Literal' ? 2 : 0),
  );
}
