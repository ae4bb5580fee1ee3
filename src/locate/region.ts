import type { AnyNode, Class } from 'acorn';
import { ANCHOR, SITE, mayHoldClass } from './anchors.ts';
import { keyName, walk } from './ast.ts';
import { parseAtom, parseProgram } from './parser.ts';
import type { Source } from './source.ts';

export type RegionSearch =
  | { kind: 'none' }
  | { kind: 'found'; classes: Class[] }
  | { kind: 'failed'; reason: 'class-not-found' | 'not-javascript'; at?: number };

/**
 * Finds every class with a method `streamInput` by parsing just that class. The whole file is read only
 * where the text says that there should be one and no class binds.
 */
export function findClasses(source: Source): RegionSearch {
  if (!mayHoldClass(source)) return { kind: 'none' };
  const classes = new Map<number, Class>();
  for (let at = source.indexOf(ANCHOR); at >= 0; at = source.indexOf(ANCHOR, at + 1)) {
    if (!looksLikeMethodKey(source, at)) continue;
    const found = enclosingClass(source, at, hasAnchor);
    if (found) classes.set(found.start, found);
  }
  return classes.size > 0 ? { kind: 'found', classes: [...classes.values()] } : findInWholeFile(source);
}

/** Parses the whole file: proves that a region is code (not text in a comment) and the file is not cut off. */
export function parseWhole(source: Source): { program: AnyNode } | { failedAt: number } {
  // A byte order mark is three latin1 characters that no parser takes; blanks keep the offsets. Behind it a hashbang is no
  // longer the first thing, but Node takes it: `#!` becomes the `//` that it is.
  const text = source.replace(/^\u00ef\u00bb\u00bf(#!)?/, (_, bang) => (bang ? '   //' : '   '));
  let failedAt = 0;
  for (const sourceType of ['module', 'script'] as const) {
    try {
      return { program: parseProgram(text, sourceType) };
    } catch (error) {
      failedAt = Math.max(failedAt, (error as { pos?: number }).pos ?? 0);
    }
  }
  return { failedAt };
}

/** Every class of a program with a method `streamInput`. */
export function classesOf(program: AnyNode): Class[] {
  const classes: Class[] = [];
  walk(program, (node) => {
    if ((node.type === 'ClassExpression' || node.type === 'ClassDeclaration') && hasAnchor(node))
      classes.push(node);
  });
  return classes;
}

// async streamInput(e){   "streamInput"(e){   streamInput=async(e)=>{     but not   q.streamInput(x)
function looksLikeMethodKey(source: Source, at: number): boolean {
  return (
    source[at - 1] !== '.' && /^["']?\s*[(=]/.test(source.slice(at + ANCHOR.length, at + ANCHOR.length + 8))
  );
}

/** How many `class` words before the anchor are tried: nested classes and strings lie between. */
const MOST_TRIES = 64;

/** The innermost class around an offset for which `test` holds, parsed alone. */
export function enclosingClass(
  source: Source,
  at: number,
  test: (node: Class) => boolean,
): Class | undefined {
  let tries = 0;
  for (let start = source.lastIndexOf('class', at); start >= 0 && tries < MOST_TRIES; tries += 1) {
    const found = classAt(source, start);
    if (found && found.end > at && test(found)) return found;
    if (start === 0) break;
    start = source.lastIndexOf('class', start - 1);
  }
  return undefined;
}

function classAt(source: Source, start: number): Class | undefined {
  if (/[\w$.]/.test(source[start - 1] ?? ' ') || !/[\s{]/.test(source[start + 5] ?? '')) return undefined;
  try {
    const node = parseAtom(source, start);
    return node.type === 'ClassExpression' ? node : undefined;
  } catch {
    // Text or a comment that says "class": not a region.
    return undefined;
  }
}

function hasAnchor(node: Class): boolean {
  return node.body.body.some(
    (member) =>
      (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') &&
      keyName(member) === ANCHOR,
  );
}

function findInWholeFile(source: Source): RegionSearch {
  const whole = parseWhole(source);
  if ('failedAt' in whole) return { kind: 'failed', reason: 'not-javascript', at: whole.failedAt };
  const classes = classesOf(whole.program);
  if (classes.length > 0) return { kind: 'found', classes };
  // A chunk that only defines a transport, or only calls streamInput, is no bundle; one that ends input is.
  return callsEndInput(whole.program) ? { kind: 'failed', reason: 'class-not-found' } : { kind: 'none' };
}

function callsEndInput(program: AnyNode): boolean {
  let calls = false;
  walk(program, (node) => {
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const { property, computed } = node.callee;
      calls ||= !computed && property.type === 'Identifier' && property.name === SITE;
    }
    return !calls;
  });
  return calls;
}
