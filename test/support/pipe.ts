import { execFileSync } from 'node:child_process';

/** For `skip`: why there can be no named pipe here, or false. */
export const noPipes = process.platform === 'win32' && 'no named pipes on Windows';

/** Makes a named pipe with nobody at its other end: who opens it without looking waits for ever. */
export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}
