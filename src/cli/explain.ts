import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { HoldopenError, systemCode } from '../errors.ts';
import { findBundles } from '../locate/installs/bundles.ts';
import { readRegular } from '../locate/installs/read.ts';
import { displayPath, findInstalls } from '../locate/installs/index.ts';
import { Bundle } from '../locate/bundle.ts';
import { examine } from '../patch/examine.ts';
import { type Explanation, explain as explainBundle, renderExplanation } from '../report/explain.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { write } from './output.ts';

export interface ExplainOptions {
  /** A file or a directory. */
  path: string;
  cwd: string;
  format: 'human' | 'json';
  /** Show the normal forms of the methods that matter. */
  forms: boolean;
}

/**
 * `holdopen explain`: shows what was recognised in one bundle, or in every bundle of a directory's copies, and what
 * `patch` would insert. Reads only.
 * @returns 0, whatever the status; 2 where there is nothing to explain
 * @throws HoldopenError where the path is not there, cannot be read, or holds no bundle
 */
export async function explain(options: ExplainOptions): Promise<ExitCode> {
  const path = resolve(options.cwd, options.path);
  const bundles = isDirectory(options.cwd, path)
    ? bundlesBelow(path, options.cwd)
    : [{ file: options.path, bundle: new Bundle(read(options.cwd, path)) }];
  const explanations = bundles.flatMap(({ file, bundle }): Explanation[] => {
    const examination = examine(bundle);
    return examination ? [explainBundle(file, examination)] : [];
  });
  if (explanations.length === 0) {
    throw new HoldopenError({
      code: 'no-bundle',
      message: `${options.path} holds no class with streamInput and endInput, so it is no bundle of the SDK`,
      hint: 'name a bundle: holdopen explain node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
    });
  }
  const text =
    options.format === 'json'
      ? `${JSON.stringify(explanations, null, 2)}\n`
      : explanations.map((one) => renderExplanation(one, options)).join('\n');
  await write(process.stdout, text);
  return exitCodes.clean;
}

function bundlesBelow(dir: string, cwd: string): { file: string; bundle: Bundle }[] {
  const { copies, root } = findInstalls({ dir, cwd });
  return copies.flatMap((copy) =>
    findBundles(copy).candidates.map(({ file, bundle }) => ({
      file: `${displayPath(root, copy.dir)}/${file}`.replace(/^\.\//, ''),
      bundle,
    })),
  );
}

function isDirectory(cwd: string, path: string): boolean {
  return attempt(cwd, path, () => statSync(path).isDirectory());
}

function read(cwd: string, path: string): Buffer {
  return attempt(cwd, path, () => readRegular(path));
}

function attempt<T>(cwd: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const name = relative(cwd, path) || path;
    throw new HoldopenError({
      code: 'cannot-read',
      message: `cannot read ${name}: ${code === 'ENOENT' ? 'there is no such file' : code}`,
      hint: `ls -l ${name}`,
      cause: error,
    });
  }
}
