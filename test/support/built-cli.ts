import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
let cli: Promise<string> | undefined;

/** Runs the CLI with the files that it starts beside it, as in the package. */
export async function runBuiltCli(
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const main = await (cli ??= buildCli());
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd: repository }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Three plain files in the places of the built ones. */
async function buildCli(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdopen-built-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(repository, 'package.json'), join(folder, 'package.json'));
  const source = (name: string): string => join(repository, 'src', `${name}.ts`);
  // commander is CommonJS and requires what is built into Node.
  const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  await build({
    entryPoints: ['cli/entry', 'probe/host', 'probe/stand-in'].map(source),
    outbase: join(repository, 'src'),
    outdir: join(folder, 'dist'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js },
  });
  return join(folder, 'dist/cli/entry.js');
}
