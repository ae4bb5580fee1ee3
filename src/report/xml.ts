import { printable } from './texts.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text for an attribute or an element; XML 1.0 has no place for control characters and halves of pairs at all. */
export function xml(text: string): string {
  return printable(text)
    .replace(/[\ufffe\uffff]|\p{Surrogate}/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
