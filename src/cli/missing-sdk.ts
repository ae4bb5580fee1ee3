import { HoldopenError } from '../errors.ts';
import { errorText } from './output.ts';

/** `--require-sdk` makes it an error that there is nothing to look at. */
export function missingSdk(line: string): string {
  return errorText(
    new HoldopenError({
      code: 'no-sdk',
      message: `${line.replace(/\.$/, '')}, and --require-sdk was given`,
      hint: 'npm install, or name the directory that the packages are installed in',
    }),
  );
}
