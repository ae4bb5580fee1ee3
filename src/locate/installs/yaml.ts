import type * as Yaml from 'yaml';
import { library } from './library.ts';

/**
 * What stands under a key of another program's YAML. A file that has a fault somewhere is read as far as it goes, as it is
 * not ours to judge it; what cannot be read at all gives nothing.
 * @param text of the file
 * @param key at its top
 */
export function yamlValue(text: string, key: string): unknown {
  // Where the word is not in it, the library need not be loaded.
  if (!text.includes(key)) return undefined;
  try {
    const value: unknown = library<typeof Yaml>('yaml').parseDocument(text, { logLevel: 'silent' }).toJS();
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  } catch {
    // Nested too deep, or made of aliases that would fill the memory.
    return undefined;
  }
}
