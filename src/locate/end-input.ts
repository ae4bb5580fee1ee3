import type { Source } from './source.ts';

/** What the transports of a bundle do in `endInput`. */
export type EndInput = 'ends' | 'empty';

// endInput(){}     endInput() { /* nothing to end */ }     not   e.endInput()
const DEFINITION = /(?<![.\w$])endInput\s*\(\s*\)\s*\{(\s*(?:\/\/[^\n]*\n\s*|\/\*[^]*?\*\/\s*)*\})?/g;
const MENTION = /(?<![\w$])endInput(?![\w$])/g;
const CALL = /\.\s*endInput\s*\(/g;

/**
 * `empty` only where it is proved: the bundle defines at least one transport, every definition's body is
 * empty (a WebSocket has no input to end), every other mention is a call, and no transport can come in from
 * a chunk beside it. In doubt it ends.
 */
export function endInputOf(source: Source): EndInput {
  const definitions = [...source.matchAll(DEFINITION)];
  const allEmpty = definitions.length > 0 && definitions.every(([, emptyBody]) => emptyBody !== undefined);
  if (!allEmpty) return 'ends';
  const mentions = source.match(MENTION)?.length ?? 0;
  const calls = source.match(CALL)?.length ?? 0;
  const chunks = /(?:from|import)\s*\(?\s*["']\.{1,2}\//.test(source);
  return mentions === definitions.length + calls && !chunks ? 'empty' : 'ends';
}
