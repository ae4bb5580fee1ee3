import { HoldopenError, systemCode } from '../errors.ts';

/**
 * The directory that the command runs in.
 * @throws HoldopenError `no-cwd` where it was removed meanwhile: a deploy or an install replaced it under an open shell
 */
export function here(): string {
  try {
    return process.cwd();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw new HoldopenError({
      code: 'no-cwd',
      message: `cannot tell the current directory: ${code === 'ENOENT' ? 'it was removed' : code}`,
      hint: 'cd into a directory that is there, then run the same command again',
      cause: error,
    });
  }
}
