import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { replaceFile } from '../../src/patch/write.ts';
import { giveAway, runScript } from '../support/child.ts';
import { assertUntouched } from '../support/files.ts';
import { noPipes } from '../support/pipe.ts';
import { Tally } from '../support/report.ts';
import { makeTree } from '../support/tree.ts';

const old = Buffer.from('old bytes \xff\0', 'latin1');
const next = Buffer.from('new bytes \xfe\0, more of them', 'latin1');

/** A process number that nobody has: above the highest one that Linux gives. */
const gone = 2 ** 22 + 1;

describe('replaceFile in processes of its own', () => {
  it('leaves the old or the new file wherever it is killed, and the next run cleans up', async (t) => {
    const steps = ['openSync', 'writeFileSync', 'fchmodSync', 'fsyncSync', 'closeSync', 'renameSync'];
    const tally = new Tally('lost', 'leftovers');
    let killPoints = 0;
    const points = ['SIGKILL', 'SIGTERM'].flatMap((signal) => steps.map((step) => [signal, step] as const));
    for (const [signal, step] of points) {
      for (const when of ['before', 'after']) {
        const root = makeTree(t, { a: old });
        const child = await runScript(
          `import fs from 'node:fs';
           import { replaceFile } from '$SRC/patch/write.ts';
           const die = () => {
             process.kill(process.pid, '${signal}');
             Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000); // until it has arrived
           };
           const { openSync } = fs;
           let ours = false; // the loader opens files as well
           fs.openSync = (path, ...rest) => {
             ours ||= path.includes('.holdopen-');
             return openSync(path, ...rest);
           };
           const real = fs.${step};
           fs.${step} = (...args) => {
             const now = ours || String(args[0]).includes('.holdopen-');
             if (now && '${when}' === 'before') die();
             const result = real(...args);
             if (now) die();
             return result;
           };
           replaceFile('${root}/a', Buffer.from('${old.toString('hex')}', 'hex'),
             Buffer.from('${next.toString('hex')}', 'hex'), { root: '${root}' });`,
        );
        const where = `${signal} ${when} ${step}`;
        assert.equal(child.signal, signal, `${where}: ${child.stderr}`);
        const renamed = step === 'renameSync' && when === 'after';
        const bytes = fs.readFileSync(join(root, 'a'));
        tally.count('lost', !bytes.equals(renamed ? next : old), where);
        const leftovers = fs.readdirSync(root).length - 1;
        assert.equal(leftovers, renamed || (step === 'openSync' && when === 'before') ? 0 : 1, where);
        replaceFile(join(root, 'a'), bytes, Buffer.from('again'), { root });
        tally.count('lost', fs.readFileSync(join(root, 'a'), 'utf8') !== 'again', `the run after ${where}`);
        tally.count('leftovers', fs.readdirSync(root).length > 1, `the run after ${where}`);
        killPoints += 1;
      }
    }
    tally.report(t, 'kill-points-writer', { killPoints });
  });

  it('removes only its own leftovers, and only those of runs that are over', (t) => {
    const stay = [
      `.a.holdopen-${process.ppid}-0123456789ab.tmp`,
      `.a.holdopen-${process.pid}-0123456789ab.tmp`,
      `.a.other-${gone}-0123456789ab.tmp`,
      `a.holdopen-${gone}-0123456789ab.tmp`,
      '.a.holdopen-notes.tmp',
    ];
    const go = [`.a.holdopen-${gone}-0123456789ab.tmp`, `.b.js.holdopen-${gone}-ba9876543210.tmp`];
    const root = makeTree(t, { a: old, ...Object.fromEntries([...stay, ...go].map((name) => [name, ''])) });
    replaceFile(join(root, 'a'), old, next, { root });
    assert.deepEqual(fs.readdirSync(root).sort(), ['a', ...stay].sort());
  });

  it('knows a leftover of an earlier process with its own number, as containers have it', (t) => {
    const leftover = `.a.holdopen-${process.pid}-0123456789ab.tmp`;
    const root = makeTree(t, { a: old, [leftover]: '' });
    fs.utimesSync(join(root, leftover), 1, 1);
    replaceFile(join(root, 'a'), old, next, { root });
    assert.deepEqual(fs.readdirSync(root), ['a']);
  });

  it('ends with one whole file when several run at once', async (t) => {
    const big = 'x'.repeat(2_000_000);
    const root = makeTree(t, { a: old });
    const runs = await Promise.all([0, 1, 2, 3].map(() => write(root, 'a', {}, big)));
    assert.deepEqual(
      [...new Set(runs)].sort(),
      ['unchanged', 'written'].filter((way) => runs.includes(way)),
    );
    assert.ok(runs.includes('written'));
    assertUntouched(root, 'a', big);
  });

  it(
    'waits for no pipe in the place of the file, before or while it is written',
    { skip: noPipes },
    async (t) => {
      const tally = new Tally('lost', 'leftovers', 'waits');
      let pipes = 0;
      for (const when of ['before', 'while']) {
        const root = makeTree(t, { a: old });
        const pipe = `rmSync('${root}/a'); execFileSync('mkfifo', ['${root}/a']);`;
        const child = await runScript(
          `import { execFileSync } from 'node:child_process';
         import fs, { rmSync } from 'node:fs';
         import { replaceFile } from '$SRC/patch/write.ts';
         const sync = fs.fsyncSync;
         ${when === 'before' ? pipe : `fs.fsyncSync = (file) => { sync(file); ${pipe} };`}
         try {
           replaceFile('${root}/a', Buffer.from('${old.toString('hex')}', 'hex'), Buffer.from('next'), { root: '${root}' });
         } catch (error) {
           console.log(error.code);
         }`,
          { timeout: 60_000 },
        );
        tally.count('waits', child.signal !== null, when);
        assert.deepEqual([child.stdout, child.stderr], ['file-changed\n', ''], when);
        tally.count('leftovers', fs.readdirSync(root).length > 1, when);
        // What took its place stays.
        tally.count('lost', !fs.lstatSync(join(root, 'a')).isFIFO(), when);
        pipes += 1;
      }
      tally.report(t, 'pipe-takes-place', { pipes });
    },
  );

  it('says so for a directory that really cannot be written', async (t) => {
    const root = makeTree(t, { 'p/a': old });
    giveAway(root);
    fs.chmodSync(join(root, 'p'), 0o555);
    const child = await write(root, 'p/a', { unprivileged: true });
    const { code, hint } = child as { code: string; hint: string };
    assert.equal(code, 'no-permission');
    assert.match(
      hint,
      new RegExp(`^run the command as the owner of ${root}/p, .* see: ls -ld ${root}/p; .*lsattr`),
    );
    assertUntouched(root, 'p/a', old);
  });
});

/** Runs `replaceFile` in a process of its own; gives what it returned, or code and hint of what it threw. */
async function write(
  root: string,
  file: string,
  options: { unprivileged?: boolean },
  text?: string,
): Promise<unknown> {
  const bytes =
    text === undefined
      ? `Buffer.from('${next.toString('hex')}', 'hex')`
      : `Buffer.alloc(${text.length}, 'x')`;
  const child = await runScript(
    `import { replaceFile } from '$SRC/patch/write.ts';
     const write = () => replaceFile('${root}/${file}', Buffer.from('${old.toString('hex')}', 'hex'), ${bytes}, { root: '${root}' });
     const attempt = () => { try { return write(); } catch (error) { return { code: error.code, hint: error.hint }; } };
     console.log(JSON.stringify(attempt()));`,
    options,
  );
  assert.equal(child.stderr, '');
  return JSON.parse(child.stdout);
}
