// The real package managers, installed once through the npm client into the cache, each run in a scratch folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../support/releases.ts';

const execute = promisify(execFile);

const packages = { pnpm: '12.21.0', yarn: '1.22.22', '@yarnpkg/cli-dist': '4.18.1', bun: '1.4.5' };

/** How to start one of them: a program and its first arguments. */
export type Command = readonly [program: string, ...args: string[]];

export interface Managers {
  npm: Command;
  pnpm: Command;
  yarnClassic: Command;
  yarn: Command;
  bun: Command;
}

/** Installs what is missing. */
export async function managers(): Promise<Managers> {
  const root = join(cacheDir(), `managers-${Object.values(packages).join('-')}`);
  if (!existsSync(root)) await install(root);
  const modules = join(root, 'node_modules');
  return {
    npm: ['npm'],
    pnpm: [join(modules, '.bin/pnpm')],
    yarnClassic: [process.execPath, join(modules, 'yarn/bin/yarn.js')],
    yarn: [process.execPath, join(modules, '@yarnpkg/cli-dist/bin/yarn.js')],
    bun: [join(modules, '.bin/bun')],
  };
}

let certificates: Promise<Record<string, string>> | undefined;

/** yarn does not read npm's settings: the certificates that they name for the registry are handed to it. */
async function npmCertificates(): Promise<Record<string, string>> {
  const { stdout } = await execute('npm', ['config', 'get', 'cafile']);
  const file = stdout.trim();
  return file === '' || file === 'null' ? {} : { NODE_EXTRA_CA_CERTS: file };
}

/** Runs one in a folder; says what it printed where it fails. */
export async function run(
  command: Command,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  const [program, ...first] = command;
  const environment = { ...(await (certificates ??= npmCertificates())), ...process.env, ...env };
  try {
    await execute(program, [...first, ...args], { cwd, env: environment, timeout: 400_000 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `${[program, ...args].join(' ')} failed:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`,
      {
        cause: error,
      },
    );
  }
}

/** pnpm and bun bring their programs in their install scripts, so that these run here, and here alone. */
async function install(root: string): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const temporary = await mkdtemp(`${root}.tmp-`);
  try {
    await writeFile(join(temporary, 'package.json'), '{ "private": true }\n');
    const specs = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    await run(['npm'], ['install', '--no-audit', '--no-fund', '--no-package-lock', ...specs], temporary, {});
    await rename(temporary, root);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(root)) throw error;
  }
}
