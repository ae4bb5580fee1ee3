import module from 'node:module';

/**
 * A library that few trees need, loaded where it is needed and not before: a plain npm project must not wait for it. As
 * CommonJS, because who looks for installs does not wait for anything.
 */
export function library<T>(name: 'adm-zip' | 'picomatch' | 'yaml'): T {
  return module.createRequire(import.meta.url)(name) as T;
}
