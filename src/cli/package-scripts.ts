/** The scripts of a package.json, with the places in the text where they can be changed. */
export interface ScriptsPlace {
  /** `{ name: command }`, in their order. */
  scripts: ReadonlyMap<string, string>;
  /** Of each script's member. */
  members: ReadonlyMap<string, Member>;
  /** The `scripts` object itself, or undefined where there is none. */
  object: ObjectPlace | undefined;
  /** The whole document. */
  root: ObjectPlace;
}

/** One `"name": value`, as offsets. */
interface Member {
  start: number;
  valueStart: number;
  end: number;
}

interface ObjectPlace {
  /** Of the brace. */
  start: number;
  /** Behind the closing brace. */
  end: number;
  members: (Member & { name: string })[];
}

/**
 * Changes one script and nothing else: the text before and after it, its indentation and its line ends stay.
 * @param text a package.json that `JSON.parse` takes
 * @param name of the script
 * @param command `undefined` takes the script out, and `scripts` as well where nothing else was in it
 */
export function setScript(text: string, name: string, command: string | undefined): string {
  const { object, root, members } = readScripts(text);
  const member = members.get(name);
  if (command === undefined) {
    if (member === undefined || object === undefined) return text;
    if (object.members.length > 1) return removeMember(text, object, name);
    return removeMember(text, root, 'scripts');
  }
  const value = JSON.stringify(command);
  if (member) return text.slice(0, member.valueStart) + value + text.slice(member.end);
  if (object) return addMember(text, object, `${JSON.stringify(name)}: ${value}`, indentOf(text, object));
  const unit = indentOf(text, root);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const body =
    unit === undefined
      ? `{ ${JSON.stringify(name)}: ${value} }`
      : `{${newline}${unit}${unit}${JSON.stringify(name)}: ${value}${newline}${unit}}`;
  return addMember(text, root, `"scripts": ${body}`, unit);
}

/**
 * @param text a package.json that `JSON.parse` takes
 * @throws TypeError where `scripts` is no object of texts
 */
export function readScripts(text: string): ScriptsPlace {
  const root = readObject(text, text.indexOf('{'));
  // Of two members with one name the last one counts.
  const member = root.members.findLast(({ name }) => name === 'scripts');
  if (member === undefined) return { scripts: new Map(), members: new Map(), object: undefined, root };
  if (text[member.valueStart] !== '{') throw new TypeError('"scripts" is no object');
  const object = readObject(text, member.valueStart);
  const scripts = object.members.map(({ name, valueStart, end }): [string, string] => {
    const value: unknown = JSON.parse(text.slice(valueStart, end));
    if (typeof value !== 'string') throw new TypeError(`the script "${name}" is no text`);
    return [name, value];
  });
  const members = new Map(object.members.map((one) => [one.name, one]));
  return { scripts: new Map(scripts), members, object, root };
}

/** The members of an object in a text that is known to be JSON. */
function readObject(text: string, start: number): ObjectPlace {
  const members: ObjectPlace['members'] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = valueEnd(text, valueStart);
    members.push({ name: JSON.parse(text.slice(at, nameEnd)) as string, start: at, valueStart, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { start, end: at + 1, members };
}

function skipSpace(text: string, at: number): number {
  while (/\s/.test(text[at] ?? '')) at += 1;
  return at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function valueEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (depth === 0 && at > start && /[\s,}\]]/.test(character)) return at;
    if (character === '"') {
      at = stringEnd(text, at) - 1;
      if (depth === 0) return at + 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** What stands before a member on its line; undefined where the object is on one line. */
function indentOf(text: string, object: ObjectPlace): string | undefined {
  const [first] = object.members;
  if (first !== undefined) return /\n([ \t]*)$/.exec(text.slice(object.start, first.start))?.[1];
  const own = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.start))?.[1] ?? '';
  return text.slice(object.start, object.end).includes('\n') || own !== '' ? own + (own || '  ') : undefined;
}

function addMember(text: string, object: ObjectPlace, member: string, indent: string | undefined): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const last = object.members.at(-1);
  if (last === undefined) {
    const outer = /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, object.start))?.[1] ?? '';
    const body = indent === undefined ? `{ ${member} }` : `{${newline}${indent}${member}${newline}${outer}}`;
    return text.slice(0, object.start) + body + text.slice(object.end);
  }
  const gap = indent === undefined ? (text[object.start + 1] === '"' ? ',' : ', ') : `,${newline}${indent}`;
  return text.slice(0, last.end) + gap + member + text.slice(last.end);
}

function removeMember(text: string, object: ObjectPlace, name: string): string {
  const index = object.members.findIndex((member) => member.name === name);
  const [before, member, after] = [index - 1, index, index + 1].map((one) => object.members[one]);
  if (member === undefined) return text;
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start);
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end);
  return `${text.slice(0, object.start)}{}${text.slice(object.end)}`;
}
