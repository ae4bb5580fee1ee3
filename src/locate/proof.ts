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

/**
 * f()=1   f()++   for(f() of a);   an error when it is run to V8, one of syntax to everybody else. With a character behind it
 * that no code has, V8 refuses it too, and takes what only looks like it: a regular expression, a string.
 */
const CALLED_TARGET =
  /\)(?=\s*(?:=(?![=>])|(?:\*\*|[-+*/%&|^]|<<|>>>?|&&|\|\||\?\?)=|(?:\+\+|--)(?!\s*[\w$([!~"'`])))|\bfor\s*\([^;{}()]*\([^;{}()]*\)(?=\s*(?:of|in)\b)/g;

/** As Node reads it: a module where it has the words of one, else a script. */
function accepts(text: string): boolean {
  // A byte order mark and a hashbang: only Node knows them.
  const body = text.replace(/^(?:\ufeff|\u00ef\u00bb\u00bf)?(?:#!.*)?/, '').replaceAll(CALLED_TARGET, '$&@');
  const module = asFunctionBody(body);
  if (module === undefined) return false;
  // Behind a conditional's arrow function only a colon may stand, and behind the first statement of a `do` only `while`: no brace of
  // the text closes it and another one opens the rest. In a `switch` functions are declared once, as in a module, and `case` stands
  // where imports and exports may: in no block or function of the text's own.
  const strict = `0?async()=>{"use strict";do switch(0){case 0:${module.text}\n}while(0)}:0`;
  return (!module.isModule && parses(`0?()=>{${body}\n}:0`)) || parses(strict);
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
// export default a   export default class{}   export const b=1   export function c(){}
const EXPORT_VALUE =
  /export\s+(?:(default)\b\s*(?:((?:async\s+)?function\b\s*\*?|class\b)\s*(?=([({]|extends\b)?))?|(?=(?:const|let|var|class|function|async)\b))/y;

/**
 * The text with its imports, exports and `import.meta` as what a function body may hold and what declares the same names.
 * undefined: a name is exported that the text does not have.
 */
function asFunctionBody(text: string): { text: string; isModule: boolean } | undefined {
  const meta = text.replaceAll(/import\.meta(?<![\w$.]import\.meta)(?![\w$])/g, 'this');
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
    const imported = match(IMPORT);
    if (imported) {
      const [statement, name, space, list = ''] = imported;
      const names = [name, space, `{${list.replaceAll(/\s+as\s+/g, ':')}}`].filter(
        (one) => one !== undefined,
      );
      replace(at, at + statement.length, `case 0:let ${names.map((one) => `${one}=0`).join()};`);
      continue;
    }
    const listed = match(EXPORT_LIST);
    if (listed) {
      if (listed[2] === undefined) exported.push(...localNames(listed[1] ?? ''));
      replace(at, at + listed[0].length, 'case 0:;');
      continue;
    }
    const value = match(EXPORT_VALUE);
    if (!value) continue;
    const [words, , declaration, unnamed] = value;
    const isDefault = value[1] !== undefined;
    const named =
      declaration === undefined
        ? 'let $holdopen_default='
        : `${declaration} ${unnamed ? '$holdopen_default ' : ''}`;
    replace(at, at + words.length, `case 0:${isDefault ? named : ''}`);
  }
  pieces.push(meta.slice(read));
  const isModule = read > 0 || meta.length !== text.length;
  const body = pieces.join('');
  return exported.every((name) => isDeclared(body, name)) ? { text: body, isModule } : undefined;
}

/** `{a as b,c}`: a and c. */
function localNames(list: string): string[] {
  return list.split(',').flatMap((item) => /^\s*([\w$]+)/.exec(item)?.[1] ?? []);
}

/** Whether a name stands where it may be declared, as far as its neighbours tell. */
function isDeclared(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 12), at);
    const behind = text.slice(at + name.length, at + name.length + 12);
    if (
      /(?:\b(?:var|let|const|class|function)\s+|(?<!export\s*)[,{[*:]\s*)$/.test(before) &&
      /^\s*(?:[=,;({}\]\n]|extends\b|of\b|in\b|$)/.test(behind)
    )
      return true;
  }
  return false;
}

/** Whether a statement may begin here: a word in the middle of a line is none. */
function beginsStatement(text: string, at: number): boolean {
  return (
    at === 0 ||
    /(?:[;}\n\r]|\*\/)\s*$/.test(text.slice(Math.max(0, at - 40), at)) ||
    /^\s*$/.test(text.slice(0, Math.min(at, 40)))
  );
}
