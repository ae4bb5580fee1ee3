import { accessSync, constants, statSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { HoldopenError, systemCode } from '../errors.ts';
import { printable } from '../report/texts.ts';

/**
 * Writes text and waits until it is out: a process that ends earlier cuts off what a pipe (64 kB) has not taken yet.
 * A reader that has gone away (`| head`) is no error.
 * @throws HoldopenError `no-output` where the text cannot be written, as on a full disk
 */
export async function write(stream: Writable, text: string | Buffer): Promise<void> {
  if (text.length === 0) return;
  // The callback tells; without a listener the same error would end the process as well.
  const ignore = (): void => undefined;
  stream.on('error', ignore);
  const error = await new Promise<Error | null | undefined>((resolve) => stream.write(text, resolve));
  if (!error) {
    stream.off('error', ignore);
    return;
  }
  const code = systemCode(error);
  // A second write to the same reader finds the stream closed already.
  if (code === 'EPIPE' || ('code' in error && error.code === 'ERR_STREAM_DESTROYED')) return;
  throw new HoldopenError({
    code: 'no-output',
    message: `cannot write the output${code === undefined ? '' : ` (${code})`}`,
    hint: 'send it to a place that has room: holdopen ... --output json=report.json',
    cause: error,
  });
}

/**
 * Writes a few lines on stdout or stderr without their streams: making one takes longer than a patch with nothing to do.
 * @throws HoldopenError `no-output` as {@link write}
 */
export async function say(to: 'stdout' | 'stderr', text: string): Promise<void> {
  let rest = Buffer.from(text);
  try {
    // The console of Windows takes text, not bytes.
    while (process.platform !== 'win32' && rest.length > 0)
      rest = rest.subarray(writeSync(to === 'stdout' ? 1 : 2, rest));
  } catch (error) {
    // A pipe that is full just now, or nobody reads: the stream knows how to wait, and what to say.
    if (systemCode(error) === undefined) throw error;
  }
  if (rest.length > 0) await write(process[to], rest);
}

/**
 * Writes text to a file that the user named.
 * @param path absolute
 * @param name as the user wrote it
 * @throws HoldopenError `no-output` where it cannot be written
 */
export function saveFile(path: string, name: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw cannotWrite(name, code, error);
  }
}

/** The error of a file that the user named and that cannot be written. */
export function cannotWrite(name: string, code: string, cause?: unknown): HoldopenError {
  return new HoldopenError({
    code: 'no-output',
    message: `cannot write ${name} (${code})`,
    hint: 'name a file in a directory that is there and can be written',
    cause,
  });
}

/** An error in three parts: what and why, then the next command. Names in it can be those of a package. */
export function errorText(error: HoldopenError): string {
  return `holdopen: ${printable(error.message)}\n  next: ${printable(error.hint)}\n`;
}

/** Whether a stream shows colours: a terminal that can, and a user who has not said no (https://no-color.org). */
export function showsColors(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

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

/**
 * Sees to it that results can be written before the work is begun: it may take hours, or change files.
 * @param names of the files, as the user wrote them
 * @param cwd what they are relative to
 * @throws HoldopenError `no-output` where one cannot be written, `usage` where two are one file
 */
export function requireOutputs(names: readonly string[], cwd: string): void {
  const taken = new Map<string, string>();
  for (const name of names) {
    if (name === '-')
      throw new HoldopenError({
        code: 'usage',
        message: '- is no file: an output is written beside what is on stdout',
        hint: 'name a file; for one of that name: ./-',
      });
    const path = resolve(cwd, name);
    const file = keyOf(path, name);
    // Something that is no plain file, as /dev/stderr, takes more than one.
    if (file === undefined) continue;
    if (taken.has(file))
      throw new HoldopenError({
        code: 'usage',
        message: `two outputs go to one file: ${name}`,
        hint: 'name another file for each output',
      });
    taken.set(file, name);
  }
}

/** What tells one file from another, whatever it is called. */
function keyOf(path: string, name: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) throw cannotWrite(name, 'EISDIR');
    if (stats !== undefined && !stats.isFile()) return undefined;
    if (stats !== undefined) {
      accessSync(path, constants.W_OK);
      return `${String(stats.dev)}:${String(stats.ino)}`;
    }
    // A slash at the end is lost in the whole path.
    if (/[\\/]$/.test(name)) throw cannotWrite(name, 'ENOENT');
    const folder = statSync(dirname(path));
    if (!folder.isDirectory()) throw cannotWrite(name, 'ENOTDIR');
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch (error) {
    const code = systemCode(error);
    throw code === undefined ? error : cannotWrite(name, code, error);
  }
}
