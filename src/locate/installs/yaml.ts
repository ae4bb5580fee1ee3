/**
 * The two things that we read from other programs' YAML: a top-level text and a top-level list of texts, in the forms
 * that those programs write and their documentation shows. Anything else gives nothing, never a wrong value.
 */

/** `key: value`, quoted or not. */
export function yamlScalar(text: string, key: string): string | undefined {
  const line = new RegExp(`^(?:${key}|"${key}"|'${key}')[ \\t]*:[ \\t]*(\\S.*)$`, 'm').exec(text);
  return line?.[1] === undefined ? undefined : plain(line[1]);
}

/** `key: ['a', b]`, or `key:` and a line `- a` for each. */
export function yamlList(text: string, key: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => new RegExp(`^(?:${key}|"${key}"|'${key}')[ \\t]*:`).test(line));
  const first = lines[start]?.replace(/^[^:]*:/, '').trim() ?? '';
  if (start === -1) return [];
  if (first.startsWith('[')) {
    const flow = [first, ...lines.slice(start + 1)].join('\n');
    const inner = /^\[([^\]]*)\]/.exec(flow.replace(/#.*$/gm, ''))?.[1] ?? '';
    return inner.split(',').flatMap((item) => plain(item.trim()) ?? []);
  }
  const items: string[] = [];
  for (const line of lines.slice(start + 1)) {
    const item = /^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push(...[plain(item)].filter((value) => value !== undefined));
    else if (/^[ \t]*(#.*)?$/.test(line)) continue;
    else break;
  }
  return items;
}

function plain(value: string): string | undefined {
  const quoted = /^(['"])(.*?)\1[ \t]*(#.*)?$/.exec(value);
  const bare = quoted ? quoted[2] : value.replace(/[ \t]+#.*$/, '').trim();
  return bare === '' ? undefined : bare;
}
