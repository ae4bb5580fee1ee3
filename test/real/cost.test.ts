/** What a plain patch of a release costs, counted and not timed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertNoNeedless, countTheBuiltCli, counted, plain, working } from '../support/counted.ts';
import { sdkPlace } from '../support/installs.ts';
import { copyRelease } from '../support/releases.ts';

countTheBuiltCli();

describe('what a plain patch of a release costs', () => {
  it('the first time: no parse of a whole bundle; each one written once', async (t) => {
    const { dir: cwd, dispose } = await copyRelease('0.3.332');
    t.after(dispose);
    const counts = counted(cwd);
    assert.deepEqual(counts.modules, working);
    assert.deepEqual([counts.compiles, counts.regionParses, counts.wholeParses], [2, 2, 0]);
    const written = counts.written.map((path) => /\/\.([^/]*)\.holdopen-[^/]*$/.exec(path)?.[1]);
    assert.deepEqual(written.sort(), ['core.mjs', 'sdk.mjs']);
    assertNoNeedless(counts);

    const again = counted(cwd);
    assert.deepEqual(again.modules, plain);
    assert.deepEqual(again.written, []);
    const opened = again.opened.filter((path) => path.endsWith('.mjs'));
    assert.ok(opened.includes(`${sdkPlace}/sdk.mjs`));
    assert.equal(new Set(opened).size, opened.length, 'no script is read twice');
  });
});
