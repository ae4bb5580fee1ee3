import { gzipSync } from 'node:zlib';

/** One member of an archive, with whatever lies a test needs. */
export interface Member {
  path: string;
  text?: string | Buffer;
  /** `0` a file, `2` a symlink, `5` a directory, `x` PAX, `L` a GNU long name. */
  type?: string;
  /** What the header says, where that is not the length. */
  size?: number;
  prefix?: string;
  badChecksum?: boolean;
}

/** A tar archive as npm would have packed it, or as an attacker. */
export function tar(members: readonly Member[]): Buffer {
  return Buffer.concat([...members.flatMap(blocks), Buffer.alloc(1024)]);
}

/** The same, gzipped. */
export function tgz(members: readonly Member[]): Buffer {
  return gzipSync(tar(members));
}

/** A package with these files below `package/`. */
export function packed(files: Record<string, string | Buffer>): Buffer {
  return tgz(Object.entries(files).map(([path, text]) => ({ path: `package/${path}`, text })));
}

/** A PAX record: its length counts itself. */
export function pax(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  const digits = String(length + String(length).length).length;
  return `${String(length + digits)}${rest}`;
}

function blocks({ path, text = '', type = '0', size, prefix = '', badChecksum = false }: Member): Buffer[] {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(path, 0, 100, 'utf8');
  header.write('0000644\0', 100);
  header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((all, byte) => all + byte, badChecksum ? 1 : 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
  return [header, bytes, padding];
}
