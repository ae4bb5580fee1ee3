import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const compiled = new Map<string, Promise<string>>();
let folder: string | undefined;

/** Path of one TypeScript module as a plain `.mjs` that `node` runs without a loader; made once per process. */
export function compile(source: URL): Promise<string> {
  const known = compiled.get(source.href);
  if (known) return known;
  folder ??= temporaryFolder();
  const outfile = join(folder, basename(source.pathname).replace(/\.ts$/, '.mjs'));
  const options = { bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile } as const;
  const made = build({ ...options, entryPoints: [fileURLToPath(source)] }).then(() => outfile);
  compiled.set(source.href, made);
  return made;
}

/** A folder that is gone when this process is. */
function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdopen-compiled-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}
