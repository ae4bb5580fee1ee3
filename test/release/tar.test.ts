import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HoldopenError } from '../../src/errors.ts';
import { type TarOptions, readTar } from '../../src/release/tar.ts';
import { type Member, pax, tar } from './pack.ts';

async function read(
  bytes: Buffer,
  options: Partial<TarOptions> = {},
  chunk = bytes.length,
): Promise<[string, string][]> {
  // eslint-disable-next-line @typescript-eslint/require-await -- a stream of buffers, as short as can be
  async function* stream(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const found: [string, string][] = [];
  for await (const { path, bytes: content } of readTar(stream(), { wants: () => true, ...options }))
    found.push([path, content.toString()]);
  return found;
}

const refuses = (bytes: Buffer, why: RegExp, options: Partial<TarOptions> = {}): Promise<void> =>
  assert.rejects(read(bytes, options), (error) => {
    assert.ok(error instanceof HoldopenError);
    assert.equal(error.code, 'bad-tarball');
    assert.match(error.message, why);
    return true;
  });

const file = (path: string, text = 'x', more: Partial<Member> = {}): Member => ({ path, text, ...more });

describe('readTar', () => {
  const two = tar([file('package/a.js', 'one'), file('package/b/c.js', 'x'.repeat(1500))]);

  test('gives files in order, whatever the chunks', async () => {
    const expected = [
      ['package/a.js', 'one'],
      ['package/b/c.js', 'x'.repeat(1500)],
    ];
    for (const chunk of [1, 7, 511, 512, 513, two.length])
      assert.deepEqual(await read(two, {}, chunk), expected);
  });

  test('gives unwanted files without their bytes, and what follows them whole', async () => {
    const wants = (path: string): boolean => path.endsWith('c.js');
    assert.deepEqual((await read(two, { wants }))[0], ['package/a.js', '']);
    assert.equal((await read(two, { wants }))[1]?.[1].length, 1500);
  });

  test('reads long names: ustar prefix, PAX, GNU; each for its own file alone', async () => {
    const long = `package/${'n'.repeat(150)}.js`;
    const names = await read(
      tar([
        file('c.js', 'x', { prefix: 'package/b' }),
        { path: 'pax', type: 'x', text: pax('path', long) },
        file('cut-off'),
        { path: '././@LongLink', type: 'L', text: `${long}\0` },
        file('cut-off'),
        file('package/plain.js'),
      ]),
    );
    assert.deepEqual(
      names.map(([path]) => path),
      ['package/b/c.js', long, long, 'package/plain.js'],
    );
  });

  test('takes the size of a PAX header, and a PAX path with an equals sign', async () => {
    const text = pax('size', '3') + pax('path', 'package/a=b.js');
    const members = [{ path: 'pax', type: 'x', text }, file('short', 'abc', { size: 0 })];
    assert.deepEqual(await read(tar(members)), [['package/a=b.js', 'abc']]);
  });

  test('passes over links, directories and global headers', async () => {
    const others = ['1', '2', '3', '5', 'g'].map((type) => file(`package/${type}`, '', { type }));
    assert.deepEqual(await read(tar([...others, file('package/a.js')])), [['package/a.js', 'x']]);
  });

  test('stops at the end of the stream as at the two blocks of zeros', async () => {
    assert.equal((await read(two.subarray(0, two.length - 1024))).length, 2);
    assert.deepEqual(await read(Buffer.alloc(0)), []);
  });

  for (const path of [
    '../a.js',
    'package/../../a.js',
    '/etc/a.js',
    'C:/a.js',
    'package\\..\\a.js',
    'package/a\u0001.js',
  ])
    test(`refuses the path ${JSON.stringify(path)}`, () => refuses(tar([file(path)]), /leads out/));

  test('refuses a PAX path that leads out', () =>
    refuses(tar([{ path: 'pax', type: 'x', text: pax('path', '../../a.js') }, file('a')]), /leads out/));

  test('refuses an archive that is cut off in a header, in a file, in its padding', async () => {
    for (const length of [100, 512 + 2, 512 + 100, 2048, 2560, 3000])
      await refuses(two.subarray(0, length), /in the middle/);
    const wants = (): boolean => false;
    await refuses(two.subarray(0, 512 + 100), /in the middle/, { wants });
  });

  test('refuses what is no tar: a wrong checksum, no size, an unreadable extended header', async () => {
    await refuses(tar([file('package/a.js', 'x', { badChecksum: true })]), /checksum/);
    await refuses(Buffer.alloc(512, 'x'), /checksum/);
    // What is not a record ends in a name with a line break.
    await refuses(tar([{ path: 'pax', type: 'x', text: '99 path=x\n' }, file('a')]), /leads out/);
    await refuses(Buffer.concat([two, Buffer.alloc(512, 'x')]), /no tar archive/);
    await refuses(Buffer.concat([two, two]), /more than one/);
    await refuses(tar([{ path: 'pax', type: 'x', text: pax('size', '-1') }, file('a')]), /no valid size/);
  });

  test('refuses too much: in one file before it is read, in all, in number', async () => {
    const huge = tar([file('package/a.js', 'x', { size: 2 ** 29 })]);
    await refuses(huge, /more than a script can have/);
    await refuses(two, /more than a script can have/, { limits: { file: 1000 } });
    await refuses(two, /unpacks to more/, { limits: { total: 1000 }, wants: () => false });
    await refuses(two, /unpacks to more/, { limits: { entries: 1 } });
    await refuses(tar([file('long', '', { type: 'L', size: 2 ** 24 })]), /longer than 8 MB/);
  });
});
