import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Reads a regular file. A pipe with nobody at its other end would keep us waiting for ever, and a device may have no end.
 * @throws what the system says, or an error of its kind where it is no regular file
 */
export function readRegular(path: string): Buffer {
  // 0 where the system has no such flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return readFileSync(fd);
    throw irregular(path, stats.isDirectory() ? 'EISDIR' : undefined);
  } finally {
    closeSync(fd);
  }
}

/** The error for what is there and is no regular file, of the kind that the system throws. */
export function irregular(path: string, code = 'not a regular file'): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'read', path });
}
