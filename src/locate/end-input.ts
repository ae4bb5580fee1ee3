import { SITE, mentions, textAround } from './anchors.ts';
import { relativeImports } from './imports.ts';
import type { Source } from './source.ts';

/** What the transports of a bundle do in `endInput`. */
export type EndInput = 'ends' | 'empty';

// endInput(){}     endInput() { /* nothing to end */ }     not   e.endInput()
const EMPTY = /^endInput\s*\(\s*\)\s*\{(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*\}/;
const CALL = /\.\s*endInput\s*\($/;

/** How much of a definition is looked at: a longer comment in an empty body makes it one that may end input. */
const longest = 400;

/**
 * `empty` only where it is proved: the bundle defines at least one transport, every definition's body is
 * empty (a WebSocket has no input to end), every other mention is a call, and no transport can come in from
 * a chunk beside it. In doubt it ends. No parser: it is asked of every bundle that a patch passes by.
 * @param content text, or a file's bytes
 */
export function endInputOf(content: Source | Buffer): EndInput {
  let definitions = 0;
  for (const at of mentions(content, SITE)) {
    const [before, behind] = [textAround(content, at - 1, at), textAround(content, at, at + longest)];
    // $endInput, endInputs: other names.
    if (/[\w$]/.test(before) || /^endInput[\w$]/.test(behind)) continue;
    const called = textAround(content, at - 20, at) + (/^endInput\s*\(/.exec(behind)?.[0] ?? '');
    if (CALL.test(called)) continue;
    if (before === '.' || !EMPTY.test(behind)) return 'ends';
    definitions += 1;
  }
  if (definitions === 0) return 'ends';
  return relativeImports(typeof content === 'string' ? Buffer.from(content, 'latin1') : content).length === 0
    ? 'empty'
    : 'ends';
}
