import { readFileSync } from 'node:fs';
import { parse } from 'acorn';

/** A call of a slot, alone in its line: `    await this.$wait(written);` */
const SLOT = /^( *)(?:await )?this\.(\$\w+)\((.*)\);\n/gm;

/**
 * The program of a fixture in one file, as a bundler would leave it: only what `query` needs of its parts, and one class
 * where the source has a class and what it extends.
 * @param {URL} url a file of fixtures/src
 */
export function compose(url) {
  const [imports, declared] = [new Map(), new Map()];
  read(url, imports, declared, new Set());
  const names = (text, name) => new RegExp(`(?<![.\\w$])${name}(?![\\w$])`).test(text);
  const needed = new Set(['query', 'AbortError']);
  // What is added meanwhile is walked too.
  for (const one of needed)
    for (const other of declared.keys()) if (names(declared.get(one).text, other)) needed.add(other);
  const kept = [...declared].filter(([name]) => needed.has(name)).map(([, { text }]) => text);
  // The class stands before what makes one of it.
  const isFunction = (text) => /^(?:\/\*.*\n)?function /.test(text);
  const sorted = [...kept.filter((text) => !isFunction(text)), ...kept.filter(isFunction)];
  const body = [...sorted, 'export { AbortError, query };\n'].join('\n\n');
  const outside = [...imports].filter(([name]) => names(body, name)).map(([, text]) => `${text}\n`);
  return [...outside, body].join('');
}

/** Everything that a file and its parts declare, by name: those that others need first. */
function read(url, imports, declared, seen) {
  if (seen.has(url.href)) return;
  seen.add(url.href);
  const source = readFileSync(url, 'utf8');
  let from = 0;
  for (const statement of parse(source, { ecmaVersion: 'latest', sourceType: 'module' }).body) {
    // With the comment before it.
    const text = source.slice(from, statement.end).trim();
    from = statement.end;
    if (statement.type !== 'ImportDeclaration') {
      const node = statement.declaration ?? statement;
      const { name } = node.id ?? node.declarations[0].id;
      const plain = text.replace(/^export /m, '');
      // The program's own `query` stands for those of the programs that it takes parts from.
      if (declared.delete(name) && name !== 'query') throw new Error(`${url.pathname}: a second ${name}`);
      declared.set(
        name,
        node.type === 'ClassDeclaration' ? oneClass(source, node, plain, declared) : { text: plain },
      );
    } else if (statement.source.value.startsWith('.')) {
      read(new URL(statement.source.value, url), imports, declared, seen);
    } else {
      for (const { local } of statement.specifiers) imports.set(local.name, text);
    }
  }
}

/**
 * A class with the members of the one that it extends, where that is ours. Its own take the place of those with their
 * name, `static without` names those that go, and slots (`$name`) stand where they are called.
 */
function oneClass(source, node, text, declared) {
  const base = node.superClass && declared.get(node.superClass.name);
  const members = new Map(base?.members);
  let from = node.body.start + 1;
  for (const { key, value, type, end } of node.body.body) {
    const name = source.slice(key.start, key.end);
    if (name === 'without') value.elements.forEach((element) => members.delete(element.value));
    else members.set(name, { text: source.slice(from, end), isField: type === 'PropertyDefinition' });
    from = end;
  }
  const fields = [...members.values()].filter(({ isField }) => isField);
  const methods = [...members].filter(([name, { isField }]) => !isField && !name.startsWith('$'));
  let body = [...fields, ...methods.map(([, method]) => method)].map((member) => member.text).join('');
  while (body.search(SLOT) !== -1)
    body = body.replace(SLOT, (_, indent, name, args) => inPlace(members.get(name).text, name, args, indent));
  const head = text.slice(0, text.indexOf('{')).replace(base ? / extends \w+/ : '', '');
  return { text: `${head}{${body}\n}`, members };
}

/** The statements of a slot, as far in as its call is. Its parameters are what the call hands over, by the same names. */
function inPlace(slot, name, args, indent) {
  const [head, ...rest] = slot.trim().split('{');
  if (!head.includes(`${name}(${args}) `) && !head.includes(`${name}() `))
    throw new Error(`${name}(${args}) is declared as ${head}`);
  const lines = rest.join('{').split('\n').slice(1, -1);
  return lines.map((line) => `${line.replace(/^ {4}/, line && indent)}\n`).join('');
}
