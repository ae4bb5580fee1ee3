import { HoldopenError } from '../errors.ts';
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
