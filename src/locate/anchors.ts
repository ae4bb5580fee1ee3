import type { Source } from './source.ts';

/** The class that writes prompts to the CLI: the one with a method of this name. */
export const ANCHOR = 'streamInput';
/** What it calls to end the CLI's input. */
export const SITE = 'endInput';

/** How both names end: a capital is rare in code, and V8 jumps from one first letter of what it looks for to the next. */
const ENDING = 'Input';

/**
 * Whether a file can hold the class at all, on its bytes and without a parser: the cheapest test, which most files of a
 * copy end at. One search for what both names share takes a third of the time of a search for each.
 */
export function mayHoldClass(content: Source | Buffer): boolean {
  let missing = [ANCHOR, SITE];
  for (let at = content.indexOf(ENDING); at !== -1; at = content.indexOf(ENDING, at + 1)) {
    const word = textAround(content, at - ANCHOR.length, at + ENDING.length);
    missing = missing.filter((name) => !word.endsWith(name));
    if (missing.length === 0) return true;
  }
  return false;
}

// async streamInput(e){   "streamInput"(e){   ["streamInput"](e){   streamInput=async(e)=>{   but not   q.streamInput(x)
const KEY = /^["']?\]?\s*(?:[(=;}]|\/[*/])/;

/** Where a text has what can be the key of a method `streamInput`. */
export function methodKeys(content: Source | Buffer): number[] {
  return mentions(content, ANCHOR).filter(
    (at) =>
      textAround(content, at - 1, at) !== '.' &&
      KEY.test(textAround(content, at + ANCHOR.length, at + ANCHOR.length + 40)),
  );
}

/** Every place of a word. */
export function mentions(content: Source | Buffer, word: string): number[] {
  const found: number[] = [];
  for (let at = content.indexOf(word); at !== -1; at = content.indexOf(word, at + word.length))
    found.push(at);
  return found;
}

/** A piece of a text, or of a file's bytes; what lies outside of it is left out. */
export function textAround(content: Source | Buffer, start: number, end: number): string {
  const from = Math.max(0, start);
  return typeof content === 'string' ? content.slice(from, end) : content.toString('latin1', from, end);
}
