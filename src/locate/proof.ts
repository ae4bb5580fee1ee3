import { Script } from 'node:vm';
import { mentions } from './anchors.ts';
import type { Source } from './source.ts';
import { displayText } from './source.ts';

/** Where a class is said to stand: its first character and the `{` of its body. */
export interface Place {
  start: number;
  body: number;
}

/**
 * A class field whose name is a string. As code it means nothing; wherever else it is put, it ends what it stands in and
 * then has a character that no code has: `'`, `"`, a backtick and `${` get out of strings and templates, the line break out of
 * a line comment and a regular expression, `*` and `/` out of a comment.
 */
const PROBE = "'\\\n@*/@\"@`@${@}/@'=0;";

/** `class{`, `class A{`, `class A extends B.C{`: a head in which no string, comment or regular expression can begin. */
const PLAIN_HEAD = /^class(?:\s+[\w$]+)?(?:\s+extends\s+[\w$.]+)?\s*$/;

/**
 * Whether V8 takes a whole text for JavaScript, and places in it for classes that are code. It is compiled as the body of a
 * function that nobody calls: nothing of it is executed, and nothing is kept. It takes a tenth of the time of a parse.
 *
 * What it proves: the text is whole and free of syntax errors, and each place is code and the beginning of a class. What it
 * does not: that a name which is exported is declared (only that it is somewhere).
 * @param source the text
 * @param places the classes
 * @returns false where it is not so, or in doubt: then only a parse can tell
 */
export function compiles(source: Source, places: readonly Place[]): boolean {
  if (!places.every(({ start, body }) => PLAIN_HEAD.test(source.slice(start, body)))) return false;
  // In a script these begin a comment, in a module they do not.
  if (source.includes('<!--') || /(?:^|\n|\*\/)\s*-->/.test(source)) return false;
  const probed = withProbes(source, places);
  return accepts(probed) || (/[\u0080-\u00ff]/.test(source) && accepts(displayText(probed)));
}

function withProbes(source: Source, places: readonly Place[]): string {
  const pieces: string[] = [];
  let read = 0;
  for (const { body } of places.toSorted((a, b) => a.body - b.body)) {
    pieces.push(source.slice(read, body + 1), PROBE);
    read = body + 1;
  }
  return pieces.join('') + source.slice(read);
}

/** As Node reads it: a module where it has the words of one, else a script. */
function accepts(text: string): boolean {
  // A byte order mark and a hashbang: only Node knows them.
  const body = text.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)?(?:#!.*)?/, '');
  const module = asFunctionBody(body);
  if (module === undefined) return false;
  // Behind a conditional's arrow function only a colon may stand, so that no brace of the text closes it and another one opens
  // the rest. A block, where functions are declared like a module's: once.
  const strict = `0?async()=>{"use strict";{${module.text}\n}}:0`;
  return module.isModule ? parses(strict) : parses(`0?()=>{${body}\n}:0`) || parses(strict);
}

function parses(text: string): boolean {
  try {
    return new Script(text, { filename: 'holdopen' }) instanceof Script;
  } catch {
    return false;
  }
}

// import"a"   import a,{b as c}from"d"   import*as e from"f"with{type:"json"}
const IMPORT =
  /import\s*(?:([\w$]+)\s*)?,?\s*(?:\*\s*as\s+([\w$]+)\s*|\{([^{}]*)\}\s*)?(?:from\s*)?(?:"[^"\n]*"|'[^'\n]*')(?:\s*with\s*\{[^{}]*\})?\s*;?/y;
// export{a as b}   export{a}from"c"   export*from"d"   export*as e from"f"
const EXPORT_LIST =
  /export\s*(?:\*\s*(?:as\s+(?:[\w$]+|"[^"\n]*")\s*)?|\{([^{}]*)\}\s*)(from\s*(?:"[^"\n]*"|'[^'\n]*')(?:\s*with\s*\{[^{}]*\})?)?\s*;?/y;
// export default a   export const b=1   export function c(){}
const EXPORT_VALUE = /export\s+(?:(default)\b|(?=(?:const|let|var|class|function|async)\b))/y;

/**
 * The text with its imports, exports and `import.meta` as what a function body may hold and what declares the same names.
 * undefined: a name is exported that the text does not have.
 */
function asFunctionBody(text: string): { text: string; isModule: boolean } | undefined {
  const meta = text.replaceAll('import.meta', 'this');
  const pieces: string[] = [];
  let read = 0;
  const replace = (at: number, end: number, by: string): void => {
    pieces.push(meta.slice(read, at), by);
    read = end;
  };
  const exported: string[] = [];
  const words = [...mentions(meta, 'import'), ...mentions(meta, 'export')].sort((a, b) => a - b);
  for (const at of words) {
    if (at < read || !beginsStatement(meta, at)) continue;
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      return pattern.exec(meta);
    };
    const [statement] = match(IMPORT) ?? [];
    if (statement !== undefined) {
      const [, name, space, list = ''] = match(IMPORT) ?? [];
      const names = [name, space].filter((one) => one !== undefined);
      const destructured = `{${list.replaceAll(/\s+as\s+/g, ':')}}`;
      replace(at, at + statement.length, `let ${[...names, destructured].map((one) => `${one}=0`).join()};`);
      continue;
    }
    const listed = match(EXPORT_LIST);
    if (listed) {
      if (listed[2] === undefined) exported.push(...localNames(listed[1] ?? ''));
      replace(at, at + listed[0].length, ';');
      continue;
    }
    const value = match(EXPORT_VALUE);
    if (value) replace(at, at + value[0].length, value[1] ? 'let $holdopen_default=' : '');
  }
  pieces.push(meta.slice(read));
  const isModule = read > 0 || meta.length !== text.length;
  return exported.every((name) => isDeclared(text, name)) ? { text: pieces.join(''), isModule } : undefined;
}

/** `{a as b,c}`: a and c. */
function localNames(list: string): string[] {
  return list.split(',').flatMap((item) => /^\s*([\w$]+)/.exec(item)?.[1] ?? []);
}

/** Whether a name stands where it may be declared, as far as its neighbours tell. */
function isDeclared(text: string, name: string): boolean {
  const escaped = name.replaceAll('$', '\\$');
  return new RegExp(
    `(?:(?:var|let|const|class|function\\*?|as|import)\\s+|[,{[*]\\s*|\\n\\s*)${escaped}\\s*[=,;({}\\]\\n]|(?:class|import)\\s+${escaped}\\s`,
  ).test(text);
}

/** Whether a statement may begin here: a word in the middle of a line is none. */
function beginsStatement(text: string, at: number): boolean {
  return (
    at === 0 ||
    /(?:[;}\n\r]|\*\/)\s*$/.test(text.slice(Math.max(0, at - 40), at)) ||
    /^\s*$/.test(text.slice(0, Math.min(at, 40)))
  );
}
