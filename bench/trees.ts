// What is measured: projects in a temporary folder, with a real release in them.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export const sdkName = '@anthropic-ai/claude-agent-sdk';
const place = join('node_modules', sdkName);

/** A project with one copy of a release of its own. */
export function makeProject(dir: string, release: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "name": "app", "version": "1.0.0" }\n');
  cpSync(release, join(dir, place), { recursive: true });
  return dir;
}

/** A release whose scripts have a comment at their end that no release has: nobody has recorded these bytes. */
export function makeUnseen(dir: string, release: string): string {
  cpSync(release, dir, { recursive: true });
  for (const name of readdirSync(dir).filter((file) => /\.[cm]?js$/.test(file)))
    appendFileSync(join(dir, name), '\n// unseen\n');
  return dir;
}

/** Gives a project's copy the files back that it was made from. */
export function resetter(dir: string, release: string): () => void {
  const files = readdirSync(release).filter((name) => /\.[cm]?js$/.test(name));
  const originals = files.map((name) => [join(dir, place, name), readFileSync(join(release, name))] as const);
  return () => {
    for (const [path, bytes] of originals) if (!readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
  };
}

/**
 * A project with packages, and copies nested in some of them. The copies' files are hard links of one release: audit
 * reads every one, and the disk holds one.
 */
export function makeTree(dir: string, release: string, packages: number, copies: number): string {
  for (let index = 0; index < packages; index += 1) {
    const home = join(dir, 'node_modules', `package-${index}`);
    mkdirSync(join(home, 'lib'), { recursive: true });
    writeFileSync(join(home, 'package.json'), `{ "name": "package-${index}", "version": "1.0.0" }\n`);
    writeFileSync(join(home, 'lib', 'index.js'), 'module.exports = 1;\n');
  }
  writeFileSync(join(dir, 'package.json'), '{ "name": "app", "version": "1.0.0" }\n');
  for (let index = 0; index < copies; index += 1) {
    // More copies than packages are aliases, as package managers install one release under several names.
    const name = index < packages ? sdkName : `sdk-${index}`;
    const copy = join(dir, 'node_modules', `package-${index % packages}`, 'node_modules', name);
    mkdirSync(copy, { recursive: true });
    for (const entry of readdirSync(release, { withFileTypes: true }))
      if (entry.isFile()) linkSync(join(release, entry.name), join(copy, entry.name));
  }
  return dir;
}

/** A project that patch-package brings to the state that `patched` is in: the same edit of the same release, as a diff. */
export function makeRecorded(dir: string, release: string, patched: string, version: string): string {
  makeProject(dir, release);
  const before = join(dir, 'before', place);
  const after = join(dir, 'after', place);
  for (const name of readdirSync(join(patched, place))) {
    const bytes = readFileSync(join(patched, place, name));
    const original = readFileSync(join(release, name));
    if (bytes.equals(original)) continue;
    for (const folder of [before, after]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(before, name), original);
    writeFileSync(join(after, name), bytes);
  }
  const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-prefix', 'before', 'after'], {
    cwd: dir,
    maxBuffer: 2 ** 28,
  });
  const diff = stdout
    .toString('latin1')
    .replaceAll(/^(diff --git )before\/(\S+) after\/(\S+)$/gm, '$1a/$2 b/$3')
    .replaceAll(/^--- before\//gm, '--- a/')
    .replaceAll(/^\+\+\+ after\//gm, '+++ b/');
  mkdirSync(join(dir, 'patches'));
  writeFileSync(join(dir, 'patches', `${sdkName.replace('/', '+')}+${version}.patch`), diff, 'latin1');
  return dir;
}

/** Installs patch-package, for nothing but this measurement. */
export function installPatchPackage(dir: string, version: string): string {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `patch-package@${version}`], {
    cwd: dir,
    stdio: 'ignore',
  });
  return join(dir, 'node_modules/patch-package/index.js');
}

/** A bundle of at least so many MB: the release's, with code of ours behind it that no release has. */
export function makeBundle(path: string, release: string, megabytes: number): number {
  const bundle = readFileSync(join(release, 'sdk.mjs'), 'latin1');
  const pieces = [bundle];
  let length = bundle.length;
  for (let index = 0; length < megabytes * 1e6; index += 1) {
    const piece = `\nfunction filler${index}(a,b){let c=[];for(let d of a)if(d.kind==="k${index}"&&b>${index})c.push({...d,at:b+${index}});return c.length?c:null}`;
    pieces.push(piece);
    length += piece.length;
  }
  writeFileSync(path, pieces.join(''), 'latin1');
  return length / 1e6;
}
