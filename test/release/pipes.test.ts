/** A named pipe where `check` reads a file: nobody is at its other end, and who opens it without looking waits for ever. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli, runScript } from '../support/child.ts';
import { sdkName } from '../support/installs.ts';
import { makePipe, noPipes } from '../support/pipe.ts';
import { fixture, installedSdk } from '../support/project.ts';
import { Tally } from '../support/report.ts';
import { makeTree } from '../support/tree.ts';
import { release, startRegistry } from './registry.ts';

/** What needs a second takes longer on a busy machine; what waits, waits for all of it. */
const timeout = 60_000;

function replaceByPipe(path: string): void {
  rmSync(path);
  makePipe(path);
}

describe('a named pipe', { skip: noPipes, concurrency: 2 }, () => {
  it('that took the place of a tarball is refused by every reader of it', async (t) => {
    const root = makeTree(t, {});
    const path = join(root, 'a.tgz');
    makePipe(path);
    const calls = {
      'release/tarball.ts': `readTarball('${path}')`,
      'release/fetch.ts': `integrityOf('${path}')`,
      'release/find.ts': `findPlace({ kind: 'tarball', path: '${path}' }, { cache: undefined })`,
    };
    const tally = new Tally('waits');
    for (const [file, call] of Object.entries(calls)) {
      const child = await runScript(
        `import { ${call.split('(')[0] ?? ''} } from '$SRC/${file}';
         await ${call}.catch((error) => console.log(error.name, error.code, error.message, error.hint));`,
        { timeout },
      );
      tally.count('waits', child.signal !== null, call);
      const said = `HoldopenError no-file cannot read ${path}: not a regular file ls -l ${path}\n`;
      assert.deepEqual([child.stdout, child.stderr], [child.signal ? '' : said, ''], call);
    }
    tally.report(t, 'pipes-release', { pipes: Object.keys(calls).length });
  });

  it('in a package that is checked is told', async (t) => {
    const files = {
      'package.json': /cannot check .*pack: its package\.json cannot be read: not a regular file\nNext: /,
      'sdk.mjs': /sdk\.mjs.* cannot be read: not a regular file/,
    };
    const tally = new Tally('waits');
    for (const [file, message] of Object.entries(files)) {
      const cwd = makeTree(t, { pack: installedSdk() });
      replaceByPipe(join(cwd, 'pack', file));
      const run = await runCli(['check', './pack'], { cwd, env: { HOME: cwd }, timeout });
      tally.count('waits', run.signal !== null, file);
      if (run.signal === null) assert.match(run.stdout + run.stderr, message);
      assert.notEqual(run.code, 0, file);
    }
    tally.report(t, 'pipes-release', { pipes: Object.keys(files).length });
  });

  it('in the cache is as good as nothing: the release is fetched again', async (t) => {
    const scripts = { 'sdk.mjs': `import "./empty.mjs";${fixture('first-result')}`, 'empty.mjs': '' };
    const registry = await startRegistry(t, { '0.9.0': release('0.9.0', scripts) });
    const check = () => runCli(['check', '--format', 'json', '--fail-on', 'none'], { ...registry, timeout });
    const first = await check();
    assert.deepEqual([first.code, first.stderr], [0, '']);
    const name = sdkName.replace('/', '+');
    const entry = `packages/${name}/0.9.0`;
    const files = [`registry/${name}.json`, `${entry}/release.json`];
    for (const file of ['package.json', 'sdk.mjs', 'empty.mjs']) files.push(`${entry}/package/${file}`);
    const tally = new Tally('waits');
    for (const file of files) {
      replaceByPipe(join(registry.env.HOLDOPEN_CACHE ?? '', file));
      const asked = registry.asked.length;
      const run = await check();
      tally.count('waits', run.signal !== null, file);
      if (run.signal === null) assert.deepEqual([run.code, run.stdout, run.stderr], [0, first.stdout, '']);
      assert.ok(registry.asked.length > asked, file);
    }
    tally.report(t, 'pipes-release', { pipes: files.length });
  });
});
