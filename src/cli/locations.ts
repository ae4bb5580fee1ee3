import { join, relative, resolve } from 'node:path';
import { systemCode } from '../errors.ts';
import { isInside, slashes } from '../locate/installs/read.ts';
import { readRegular } from '../locate/installs/read.ts';
import { dependencyLine, lockfileLine } from '../report/location.ts';
import type { Location, RenderOptions } from '../report/index.ts';
import type { Report } from '../types.ts';

const lockfiles = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/**
 * Where the findings of a report are shown: at the package.json that asks for the copy, else at its line in the
 * lockfile, else at the top of the package.json.
 * @param report gives the root
 * @param checkout the directory that paths are relative to, absolute
 */
export function locations(report: Pick<Report, 'root'>, checkout: string): RenderOptions['locate'] {
  const texts = new Map<string, string | undefined>();
  const read = (file: string): string | undefined => {
    if (!texts.has(file)) texts.set(file, readText(join(report.root, file)));
    return texts.get(file);
  };
  const at = (file: string, line: number): Location => {
    const path = resolve(report.root, file);
    return { path: slashes(isInside(checkout, path) ? relative(checkout, path) : path), line };
  };
  return (copy, bundle) => {
    if (copy.layout === 'file') return at(join(copy.path, bundle.file), 1);
    const owner = /^((?:(?!node_modules\/).)*?)node_modules\//.exec(copy.path)?.[1];
    const manifest = `${owner ?? ''}package.json`;
    if (owner !== undefined && copy.path === `${owner}node_modules/${copy.package}`) {
      const line = dependencyLine(read(manifest) ?? '', copy.package);
      if (line !== undefined) return at(manifest, line);
    }
    for (const lockfile of lockfiles) {
      const text = read(lockfile);
      const line = text === undefined ? undefined : lockfileLine(text, copy);
      if (line !== undefined) return at(lockfile, line);
    }
    const line = dependencyLine(read('package.json') ?? '', copy.package);
    return at('package.json', line ?? 1);
  };
}

/** The checkout of a CI job, else the directory that the command was run in. */
export function checkoutOf(cwd: string, env: NodeJS.ProcessEnv): string {
  const workspace = env.GITHUB_WORKSPACE;
  return workspace !== undefined && workspace !== '' && isInside(workspace, cwd) ? workspace : cwd;
}

/** A file's text; undefined where there is no file that can be read. */
export function readText(path: string): string | undefined {
  try {
    return readRegular(path).toString('utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
