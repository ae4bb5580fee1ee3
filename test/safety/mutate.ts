/** A small seeded generator, so that a failure can be had again from the seed that the test prints. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Mutation = (text: string, next: () => number) => string;

const at = (text: string, next: () => number): number => Math.floor(next() * (text.length + 1));
const put = (text: string, place: number, more: string): string =>
  text.slice(0, place) + more + text.slice(place);
const marker = '\n//# holdopen ';

/** From what every recursion survives to what none does, with all that only some of them do between. */
const deep = (next: () => number): number => Math.floor(10 ** (2 + next() * 2.5));

/** What happens to files: by accident, by other tools, and on purpose. Texts are bytes as latin1. */
export const mutations: Record<string, Mutation> = {
  truncated: (text, next) => text.slice(0, at(text, next)),
  'head lost': (text, next) => text.slice(at(text, next)),
  'bytes flipped': (text, next) => {
    const bytes = Buffer.from(text, 'latin1');
    for (let count = 0; count < 3; count += 1) bytes[at(text, next)] = Math.floor(next() * 256);
    return bytes.toString('latin1');
  },
  'piece lost': (text, next) => {
    const start = at(text, next);
    return text.slice(0, start) + text.slice(start + Math.floor(next() * 200));
  },
  'piece twice': (text, next) => {
    const start = at(text, next);
    return put(text, start, text.slice(start, start + Math.floor(next() * 400)));
  },
  'all twice': (text) => text + text,
  zeros: (text, next) => put(text, at(text, next), '\0'.repeat(512)),
  'byte order mark': (text) => `\xef\xbb\xbf${text}`,
  'CR LF': (text) => text.replaceAll('\n', '\r\n'),
  'no UTF-8': (text, next) => put(text, at(text, next), '\xff\xfe\xc0\x80'),
  'no UTF-8 in a comment': (text) => `${text}\n/* \xff\xfe\xc0\x80 */`,
  'huge line': (text) => `var a=${'1+'.repeat(2_000)}1;/*${'x'.repeat(2_000_000)}*/${text}`,
  'deep nesting': (text, next) => {
    const depth = deep(next);
    return `${text}\nvar b=${'['.repeat(depth)}${']'.repeat(depth)};`;
  },
  'deep nesting inside': (text, next) => {
    const depth = deep(next);
    return text.replace('streamInput(', `deep(){${'{'.repeat(depth)}${'}'.repeat(depth)}}async streamInput(`);
  },
  // Parsed in a loop, and yet a tree that is as deep as the chain is long.
  'long chain': (text, next) =>
    `${text}\nvar c=a${['.b', '()', '``'].map((link) => link.repeat(deep(next))).join('')};`,
  'long chain inside': (text, next) =>
    text.replace('streamInput(', `deep(){a${'.b()'.repeat(deep(next))}}async streamInput(`),
  'marker forged': (text) =>
    `${text}${marker}{"revision":1,"gate":"0","sha256":"${'0'.repeat(64)}","size":${text.length},"seal":"","edits":[]}\n`,
  'marker with wild offsets': (text) =>
    `${text}${marker}{"revision":1,"gate":"0","sha256":"${'0'.repeat(64)}","size":9007199254740991,"seal":"","edits":[[9007199254740991,"x"],[0,"y"]]}\n`,
  'marker cut off': (text) => `${text}${marker}{"revision":1,"ga`,
  'marker of another kind': (text) => `${text}${marker}[null]\n`,
  'marker lost': (text) => {
    const place = text.lastIndexOf(marker);
    return place === -1 ? text : text.slice(0, place);
  },
  'marker damaged': (text, next) => {
    const place = text.lastIndexOf(marker);
    if (place === -1) return text;
    const spot = place + marker.length + Math.floor(next() * (text.length - place - marker.length));
    return text.slice(0, spot) + String.fromCharCode(33 + Math.floor(next() * 90)) + text.slice(spot + 1);
  },
};
