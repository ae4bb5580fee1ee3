import assert from 'node:assert/strict';
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { findBundles } from '../../../src/locate/installs/bundles.ts';
import { findInstalls } from '../../../src/locate/installs/index.ts';
import { find, sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { makeTree } from '../../support/tree.ts';

const text = 'streamInput endInput';
const files = {
  [`${sdkPlace}/package.json`]: `{"name":"${sdkName}","version":"0.3.205","main":"sdk.mjs"}`,
  [`${sdkPlace}/sdk.mjs`]: text,
};

/** What the directory of an archive says wrongly of its entries. */
interface Lies {
  size?: number;
  packed?: number;
  crc?: number;
  method?: number;
  count?: number;
}

/** A zip as yarn writes it; with `deflate` as an older yarn did. */
function zip(entries: Iterable<readonly [string, string]>, deflate = false, lies: Lies = {}): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, content] of entries) {
    const data = deflate ? deflateRawSync(content) : Buffer.from(content);
    const checksum = lies.crc ?? crc32(content);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt32LE(checksum, 14);
    header.writeUInt16LE(name.length, 26);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(lies.method ?? (deflate ? 8 : 0), 10);
    record.writeUInt32LE(checksum, 16);
    record.writeUInt32LE(lies.packed ?? data.length, 20);
    record.writeUInt32LE(lies.size ?? content.length, 24);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt32LE(at, 42);
    local.push(header, Buffer.from(name), data);
    central.push(record, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.count ?? central.length / 2, 8);
  end.writeUInt16LE(lies.count ?? central.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, directory, end]);
}

const whole = zip(Object.entries(files));

const map = (place: string): string => `const RAW = '{"packageLocation": "${place}/${sdkPlace}/",\\\n}'`;

describe("yarn Plug'n'Play", () => {
  for (const deflate of [false, true]) {
    it(`reads a copy out of a zip, ${deflate ? 'deflated' : 'stored'}`, (t) => {
      const root = makeTree(t, {
        'package.json': '{"name":"app"}',
        '.pnp.cjs': map('./.yarn/__virtual__/x-virtual-1/0/cache/x.zip'),
        '.yarn/cache/x.zip': zip(Object.entries(files), deflate),
      });
      const { copies } = findInstalls({ cwd: root });
      const [copy] = copies;
      assert.ok(copy);
      assert.deepEqual([copies.length, copy.version, copy.layout], [1, '0.3.205', 'yarn-pnp']);
      assert.equal(copy.archive?.path, join(root, '.yarn/cache/x.zip'));
      const { candidates, unreadable } = findBundles(copy);
      assert.deepEqual(
        [candidates.map(({ file, bundle }) => [file, bundle.bytes.toString()]), unreadable],
        [[['sdk.mjs', text]], []],
      );
    });
  }

  it('takes a copy that is linked to any place, by the name of the package', (t) => {
    const entry = (place: string): string =>
      `{\\\n "packageLocation": "${place}",\\\n "packagePeers": ["zod"]}`;
    const root = makeTree(t, {
      app: {
        'package.json': '{"name":"app"}',
        '.pnp.cjs': `const RAW = '[\\
          [null, [\\
            [null, ${entry('./')}]\\
          ]],\\
          ["${sdkName}", [\\
            ["link:../linked", ${entry('../linked/')}],\\
            ["virtual:1#portal:../portal", ${entry('./.yarn/__virtual__/x-virtual-1/2/portal/')}]\\
          ]],\\
          ["other", [\\
            ["npm:1.0.0", ${entry('../other/')}]\\
          ]]]';`,
      },
      linked: sdk('0.3.205'),
      portal: sdk('0.3.226'),
      other: sdk('0.2.50'),
    });
    assert.deepEqual(find(root, 'app'), [`linked ${sdkName}@0.3.205`, `portal ${sdkName}@0.3.226`]);
  });

  it('takes an unplugged copy as a directory', (t) => {
    const place = '.yarn/unplugged/x-virtual-1';
    const root = makeTree(t, {
      'package.json': '{"name":"app"}',
      '.pnp.cjs': map(`./${place}`),
      [place]: files,
    });
    assert.deepEqual(find(root), [`${place}/${sdkPlace} ${sdkName}@0.3.205`]);
  });

  it('reports an archive that is damaged or gone after it was found', (t) => {
    for (const [bytes, detail] of [
      [Buffer.from('PK'), 'not a zip'],
      [undefined, 'ENOENT'],
    ] as const) {
      const root = makeTree(t, { 'package.json': '{}', '.pnp.cjs': map('./x.zip'), 'x.zip': whole });
      const [copy] = findInstalls({ cwd: root }).copies;
      assert.ok(copy);
      if (bytes) writeFileSync(join(root, 'x.zip'), bytes);
      else rmSync(join(root, 'x.zip'));
      assert.deepEqual(findBundles(copy), { candidates: [], unreadable: [{ file: '.', detail }], mains: [] });
    }
  });

  const damaged: [string, Buffer][] = [
    ['empty', Buffer.alloc(0)],
    ['cut off', whole.subarray(0, whole.length - 30)],
    ['of something else', zip([['a.js', '']])],
    ['no zip', Buffer.alloc(100_000, 'PK')],
    ['with a wild offset', Buffer.concat([whole.subarray(0, -6), Buffer.from([255, 255, 255, 255, 0, 0])])],
  ];
  it('reports an archive that is larger than a buffer can be', (t) => {
    const root = makeTree(t, { 'package.json': '{}', '.pnp.cjs': map('./x.zip'), 'x.zip': whole });
    truncateSync(join(root, 'x.zip'), 2 ** 32);
    assert.deepEqual(find(root), ['x.zip ! too big to be read']);
  });

  const bomb: [string, string][] = [[`${sdkPlace}/package.json`, ' '.repeat(2 ** 20)]];
  const twice = [...Object.entries(files), ...Object.entries(files)];
  damaged.push(
    ['a bomb that says it is small', zip(bomb, true, { size: 100 })],
    ['a bomb that says it is empty', zip(bomb, true, { size: 0 })],
    ['larger than any script', zip(bomb, true, { size: 2 ** 32 - 1 })],
    ['longer than the archive', zip(bomb, false, { packed: 2 ** 21 })],
    ['shorter than its file', zip(bomb, false, { packed: 0 })],
    ['of other bytes', zip(bomb, false, { crc: 1 })],
    ['packed in an unknown way', zip(bomb, false, { method: 99 })],
    ['with more entries than it has', zip(bomb, false, { count: 65_535 })],
    ['with one name twice', zip(twice)],
  );
  for (const [name, bytes] of damaged) {
    it(`reports an archive that is ${name}`, (t) => {
      const root = makeTree(t, {
        'package.json': '{"name":"app"}',
        '.pnp.cjs': map('./x.zip'),
        'x.zip': bytes,
      });
      assert.match(find(root).join(), /^x\.zip ! \w[^,]*$/);
    });
  }
});
