import { HoldopenError, systemCode } from '../errors.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { errorText, say } from './output.ts';

/** Carries a command out. Whatever goes wrong is said on stderr and becomes an exit code. */
export async function conclude(command: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await command();
  } catch (error) {
    if (error instanceof HoldopenError) {
      await say('stderr', errorText(error));
      return exitCodes.failed;
    }
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await say('stderr', `holdopen: this is a bug in holdopen, please report it\n${stack}\n`);
    return exitCodes.crash;
  }
}

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
