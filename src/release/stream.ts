import { type ReadStream, createReadStream } from 'node:fs';
import { HoldopenError, systemCode } from '../errors.ts';
import { openRegular } from '../locate/installs/read.ts';

/**
 * A regular file as a stream. It was looked at before, and a pipe that took its place since would keep us for ever.
 * @throws HoldopenError `no-file`
 */
export function streamRegular(path: string): ReadStream {
  try {
    return createReadStream(path, { fd: openRegular(path).fd });
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** What the system says of a file, as an error of ours; anything else as it is. */
export function cannotRead(path: string, error: unknown): unknown {
  const system = systemCode(error);
  if (system === undefined) return error;
  return new HoldopenError({
    code: 'no-file',
    message: `cannot read ${path}: ${system === 'ENOENT' ? 'there is no such file' : system}`,
    hint: `ls -l ${path}`,
    cause: error,
  });
}
