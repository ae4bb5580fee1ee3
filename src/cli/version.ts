import { readFileSync } from 'node:fs';

/** Of the package that this file lies in, both as source and built. */
export function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
