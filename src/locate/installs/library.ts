import module from 'node:module';
import type * as Yaml from 'yaml';

/**
 * A library that few trees need, loaded where it is needed and not before: a plain npm project must not wait for it. As
 * CommonJS, because who looks for installs does not wait for anything.
 */
export function library<T>(name: 'adm-zip' | 'picomatch' | 'yaml'): T {
  return module.createRequire(import.meta.url)(name) as T;
}

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
    return (Object(value) as Record<string, unknown>)[key];
  } catch {
    // Nested too deep, or made of aliases that would fill the memory.
    return undefined;
  }
}
