// Real releases of the SDK for tests, installed once into a cache through the npm client and never changed there.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const sdkName = '@anthropic-ai/claude-agent-sdk';

export interface ReleaseOptions {
  /** Have the release's own CLI there too: `cli.js` in the package, since 0.2.113 a platform package of 250 MB. */
  cli?: boolean;
  /** Peers (`zod` and the like) too; the bundles themselves import Node built-ins only. */
  peers?: boolean;
}

export interface ReleaseCopy {
  /** A project whose only dependency is the SDK. */
  dir: string;
  /** The SDK in it: every file a copy of its own, no link to the cache. */
  packageDir: string;
  dispose: () => Promise<void>;
}

/** The package directory of an installed release. It is shared: copy it before changing anything. */
export async function installRelease(version: string, options: ReleaseOptions = {}): Promise<string> {
  const plain = entry(version, options.peers ? '+peers' : '');
  const withCli = entry(version, options.peers ? '+peers+cli' : '+cli');
  if (existsSync(withCli.packageDir)) return withCli.packageDir;
  if (!existsSync(plain.packageDir)) await install(plain.root, [`${sdkName}@${version}`], options);
  if (!options.cli || existsSync(join(plain.packageDir, 'cli.js'))) return plain.packageDir;

  const platform = platformPackage();
  const offered = await optionalDependencies(plain.packageDir);
  if (!offered[platform])
    throw new Error(`${sdkName}@${version} offers no ${platform}: no CLI to run it with`);
  const specs = [`${sdkName}@${version}`, `${platform}@${offered[platform]}`];
  await install(withCli.root, specs, options);
  return withCli.packageDir;
}

/** A throw-away project with the release in it, to patch. The platform package is a symlink to the cache. */
export async function copyRelease(version: string, options: ReleaseOptions = {}): Promise<ReleaseCopy> {
  const installed = await installRelease(version, options);
  const dir = await mkdtemp(join(await realpath(tmpdir()), 'holdopen-release-'));
  const packageDir = join(dir, 'node_modules', sdkName);
  await cp(installed, packageDir, { recursive: true });
  const manifest = { name: 'host', version: '1.0.0', private: true, dependencies: { [sdkName]: version } };
  await writeFile(join(dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const platform = platformPackage();
  const cli = join(installed, '../..', platform);
  if (existsSync(cli)) await symlink(cli, join(dir, 'node_modules', platform), 'junction');
  if (options.peers) await linkPeers(join(installed, '../..'), join(dir, 'node_modules'));
  return { dir, packageDir, dispose: () => rm(dir, { recursive: true, force: true }) };
}

/** The peers are not changed by anybody: links to the cache do. */
async function linkPeers(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => !name.startsWith('.') && name !== '@anthropic-ai');
  const scoped = (await readdir(join(from, '@anthropic-ai'))).map((name) => `@anthropic-ai/${name}`);
  for (const name of [...names, ...scoped])
    if (!existsSync(join(to, name))) await symlink(join(from, name), join(to, name), 'junction');
}

export function cacheDir(): string {
  const { HOLDOPEN_CACHE, XDG_CACHE_HOME } = process.env;
  return HOLDOPEN_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'holdopen');
}

function entry(version: string, suffix: string): { root: string; packageDir: string } {
  const root = join(cacheDir(), 'releases', `${version}${suffix}`);
  return { root, packageDir: join(root, 'node_modules', sdkName) };
}

/** Installs into a sibling and renames: a killed install leaves no half entry, and of two at once one wins. */
async function install(root: string, specs: string[], { peers }: ReleaseOptions): Promise<void> {
  await mkdir(dirname(root), { recursive: true });
  const temp = await mkdtemp(`${root}.tmp-`);
  try {
    await writeFile(join(temp, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--omit=optional'];
    if (!peers) flags.push('--legacy-peer-deps');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    await run(npm, ['install', ...flags, ...specs], { cwd: temp, shell: process.platform === 'win32' });
    await rename(temp, root);
  } catch (error) {
    await rm(temp, { recursive: true, force: true });
    if (!existsSync(root)) throw error;
  }
}

function platformPackage(): string {
  return `${sdkName}-${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

async function optionalDependencies(packageDir: string): Promise<Record<string, string>> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  return (manifest as { optionalDependencies?: Record<string, string> }).optionalDependencies ?? {};
}
