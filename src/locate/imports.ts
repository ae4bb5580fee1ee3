/** The rest of a relative path in quotes, from its first dot on, without anything that an escape could hide. */
const relativePath = /^(\.\.?\/[^"'`\\\n]*)(["'`])/;

/**
 * What may stand in front of the quote: `from"./x"`, `import"./x"`, `import("./x")`, `require("./x")`, with the comment
 * that bundlers put into the call.
 */
const loadingWord = /(?:from|import|require)\s*\(?\s*(?:\/\*[^]{0,200}?\*\/\s*)?$/;

/** `"`, `'` and a backtick. */
const quotes: ReadonlySet<number | undefined> = new Set([0x22, 0x27, 0x60]);

/** How far back the word can be, comment included; how long a path can be. */
const lookBack = 240;
const longest = 500;

/**
 * The relative files that a script imports, statically or dynamically, by a scan of its bytes: decoding a bundle of
 * 1.4 MB costs ten times as much as the scan. It takes text in strings and comments for code as well: that costs a look
 * at a file that is not there, never a file that is missed.
 * @param bytes the script
 * @returns specifiers as they are written (`./chunk.mjs`), each once
 */
export function relativeImports(bytes: Buffer): string[] {
  const found = new Set<string>();
  for (let at = bytes.indexOf('./'); at !== -1; at = bytes.indexOf('./', at + 2)) {
    const start = bytes[at - 1] === 0x2e /* . */ ? at - 1 : at;
    // Nearly all of them are something else, and the byte before tells.
    if (!quotes.has(bytes[start - 1])) continue;
    const path = relativePath.exec(bytes.toString('utf8', start, start + longest));
    const before = bytes.toString('latin1', Math.max(0, start - lookBack), start);
    if (path?.[1] !== undefined && before.endsWith(path[2] ?? '') && loadingWord.test(before.slice(0, -1))) {
      found.add(path[1]);
    }
  }
  return [...found];
}
