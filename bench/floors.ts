// What nobody can be faster than: programs that do a part of the work, and nothing else.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the files of a list one after another into the same memory. */
const read = `const fs=require('node:fs');let m=Buffer.allocUnsafeSlow(4096);
for(const f of JSON.parse(fs.readFileSync(process.argv[2],'utf8'))){const d=fs.openSync(f,'r');const {size}=fs.fstatSync(d);
if(m.length<size)m=Buffer.allocUnsafeSlow(size);fs.readSync(d,m,0,size,0);fs.closeSync(d);`;

/** Writes the programs. */
export function makeFloors(dir: string): Record<'module' | 'hash' | 'read', string> {
  mkdirSync(dir, { recursive: true });
  const files = { module: join(dir, 'empty.mjs'), hash: join(dir, 'hash.cjs'), read: join(dir, 'read.cjs') };
  writeFileSync(files.module, '');
  writeFileSync(files.read, `${read}}`);
  writeFileSync(
    files.hash,
    `const {createHash}=require('node:crypto');${read}
     if(/\\/(sdk\\.mjs|core\\.mjs|browser-sdk\\.js)$/.test(f))createHash('sha256').update(m.subarray(0,size)).digest('hex')}`,
  );
  return files;
}
