import { printable } from './texts.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as the content of an element or of an attribute in quotes. */
export function escape(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** The id of a release's row, which the timeline links to. */
export function anchor(version: string): string {
  return `v${version.replace(/[^\w.-]/g, '_')}`;
}
