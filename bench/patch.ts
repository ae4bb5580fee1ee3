import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { makeFloors } from './floors.ts';
import { type Command, measure } from './measure.ts';
import type { Bench } from './bench.ts';
import { measuredTable } from './table.ts';
import { installPatchPackage, makeProject, makeRecorded, makeUnseen, resetter, sdkName } from './trees.ts';

const patchPackage = '8.0.1';

/** `patch`, first and again, and `audit`, beside Node that does nothing and patch-package that does the same edit. */
export function measurePatch({ dir, release, version, cli, quick }: Bench): string {
  const stock = makeProject(join(dir, 'stock'), release);
  const patched = makeProject(join(dir, 'patched'), release);
  const unseen = makeProject(join(dir, 'unseen'), makeUnseen(join(dir, 'unseen-release'), release));
  const unseenDone = makeProject(join(dir, 'unseen-done'), join(dir, 'unseen-release'));
  const untouched = makeProject(join(dir, 'untouched'), release);
  const none = join(dir, 'none');
  const other = installPatchPackage(none, patchPackage);
  for (const project of [patched, unseenDone])
    if (spawnSync(process.execPath, [cli, 'patch', project]).status !== 0) throw new Error('patch failed');
  const recorded = makeRecorded(join(dir, 'recorded'), release, patched, version);
  const done = makeRecorded(join(dir, 'done'), release, patched, version);
  if (spawnSync(process.execPath, [other], { cwd: done }).status !== 0)
    throw new Error('patch-package failed');

  const floors = makeFloors(join(dir, 'floors'));
  const copy = join(patched, 'node_modules', sdkName);
  const scripts = readdirSync(copy).filter((name) => /\.[cm]?js$/.test(name));
  const list = join(dir, 'files.json');
  writeFileSync(list, JSON.stringify(scripts.map((name) => join(copy, name))));

  const commands: Command[] = [
    { name: '`node -e 0`', args: ['-e', '0'] },
    { name: 'floor: an empty ES module', args: [floors.module] },
    { name: 'floor: reading the scripts of a copy, hashing its bundles', args: [floors.hash, list] },
    { name: '`patch`, no SDK there', args: [cli, 'patch', none] },
    { name: '`patch`, nothing to do', args: [cli, 'patch', patched] },
    { name: '`patch`, first time', args: [cli, 'patch', stock], before: resetter(stock, release) },
    { name: '`patch`, nothing to do, bytes that nobody recorded', args: [cli, 'patch', unseenDone] },
    {
      name: '`patch`, first time, bytes that nobody recorded',
      args: [cli, 'patch', unseen],
      before: resetter(unseen, join(dir, 'unseen-release')),
    },
    { name: '`audit` of a patched copy', args: [cli, 'audit', patched] },
    { name: '`audit` of a stock copy', args: [cli, 'audit', untouched], code: 1 },
    { name: 'patch-package, nothing to do', args: [other], cwd: done },
    { name: 'patch-package, first time', args: [other], cwd: recorded, before: resetter(recorded, release) },
  ];
  return `## One copy of ${version}

${measuredTable(measure(commands, quick ? 3 : 15))}

patch-package ${patchPackage} applies a recorded diff of the same edit to the same release.`;
}
