import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { errorText, showsColors, write } from '../../src/cli/output.ts';
import { HoldopenError } from '../../src/errors.ts';
import { runScript } from '../support/child.ts';

/** A stream that fails with a system code, or takes its time. */
function stream(code?: string): Writable & { text: string } {
  const made = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        made.text += chunk.toString();
        const error = code === undefined ? null : Object.assign(new Error(code), { code, syscall: 'write' });
        setTimeout(done, 5, error);
      },
    }),
    { text: '' },
  );
  return made;
}

describe('output', () => {
  it('is out when the promise is', async () => {
    const slow = stream();
    let done = false;
    const writing = write(slow, 'x').then(() => (done = true));
    await Promise.resolve();
    assert.equal(done, false);
    await writing;
    assert.equal(slow.text, 'x');
    assert.equal(slow.listenerCount('error'), 0);
  });

  it('shows an error that quotes a name of somebody else without its escapes', () => {
    const error = new HoldopenError({ code: 'x', message: 'it is \u001b[2Ja', hint: 'npm view \u001b[2Ja' });
    assert.equal(errorText(error), 'holdopen: it is \uFFFD[2Ja\n  next: npm view \uFFFD[2Ja\n');
  });

  it('does not mind a reader that has gone away', async () => {
    await write(stream('EPIPE'), 'x');
    // Really gone, for two writes to one pipe: the first one learns it, the second one finds the stream closed.
    const child = await runScript(
      `import { spawn } from 'node:child_process';
       import { write } from '$SRC/cli/output.ts';
       const reader = spawn('true', { stdio: ['pipe', 'ignore', 'ignore'] });
       await new Promise((resolve) => reader.on('exit', resolve));
       await write(reader.stdin, 'x'.repeat(1e6));
       await write(reader.stdin, 'x');
       console.log('still here');`,
    );
    assert.deepEqual([child.code, child.stderr, child.stdout], [0, '', 'still here\n']);
  });

  it('says a line once, whatever a pipe takes of it at a time', async () => {
    const child = await runScript(
      `import fs from 'node:fs';
       import { syncBuiltinESMExports } from 'node:module';
       const real = fs.writeSync;
       let calls = 0;
       fs.writeSync = (fd, bytes) => {
         calls += 1;
         if (calls === 3) throw Object.assign(new Error('full'), { code: 'EAGAIN', syscall: 'write' });
         return real(fd, bytes, 0, Math.min(2, bytes.length));
       };
       syncBuiltinESMExports();
       const { say } = await import('$SRC/cli/output.ts');
       await say('stdout', 'one line\\n');
       await say('stdout', '');
       await say('stderr', String(calls));`,
    );
    assert.deepEqual([child.code, child.stdout, child.stderr], [0, 'one line\n', '3']);
  });

  it('says so if it cannot be written', async () => {
    await assert.rejects(write(stream('ENOSPC'), 'x'), {
      name: 'HoldopenError',
      code: 'no-output',
      message: /ENOSPC/,
    });
  });

  it('is coloured on a terminal that can, unless the user says no', () => {
    assert.equal(showsColors({ isTTY: true }, {}), true);
    assert.equal(showsColors({ isTTY: true }, { NO_COLOR: '' }), true, 'empty means not set');
    assert.equal(showsColors({ isTTY: true }, { NO_COLOR: '1' }), false);
    assert.equal(showsColors({ isTTY: true }, { TERM: 'dumb' }), false);
    assert.equal(showsColors({ isTTY: false }, {}), false);
    assert.equal(showsColors({}, {}), false);
  });
});
