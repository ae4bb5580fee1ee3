import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/**
 * Reads a regular file. A pipe with nobody at its other end would keep us waiting for ever, and a device may have no end.
 * @throws what the system says, or an error of its kind where it is no regular file
 */
export function readRegular(path: string): Buffer {
  return withRegular(path, (fd) => readFileSync(fd));
}

/**
 * Reads one file after another into the same memory: most files of a copy are searched for two words and never looked at
 * again, and memory that is new costs more than the bytes that are read into it.
 */
export class FileReader {
  #memory = Buffer.alloc(0);

  /**
   * @param path as for {@link readRegular}
   * @returns the bytes, until the next file is read
   * @throws as {@link readRegular}
   */
  read(path: string): Buffer {
    return withRegular(path, (fd, size) => {
      // A file that says nothing of its size, or that grows, is read as it comes.
      if (size === 0) return readFileSync(fd);
      if (this.#memory.length <= size) this.#memory = Buffer.allocUnsafeSlow(size + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length <= size; length += read)
        read = readSync(fd, this.#memory, length, size + 1 - length, length);
      // The reads above left the descriptor at its beginning.
      return length > size ? readFileSync(fd) : this.#memory.subarray(0, length);
    });
  }

  /** Lets go of the memory: the bytes that were read last stay as they are. */
  keep(): void {
    this.#memory = Buffer.alloc(0);
  }
}

function withRegular<T>(path: string, action: (fd: number, size: number) => T): T {
  const { fd, size } = openRegular(path);
  try {
    return action(fd, size);
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a regular file, for who reads it as a stream.
 * @returns a descriptor that the caller closes
 * @throws as {@link readRegular}
 */
export function openRegular(path: string): { fd: number; size: number } {
  // 0 where the system has no such flag.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (stats.isFile()) return { fd, size: stats.size };
    throw irregular(path, stats.isDirectory() ? 'EISDIR' : undefined);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** The error for what is there and is no regular file, of the kind that the system throws. */
export function irregular(path: string, code = 'not a regular file'): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'read', path });
}
