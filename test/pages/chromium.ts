import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a real Chromium: HOLDOPEN_CHROMIUM, else the system's own, which is installed where that is allowed.
 * @throws Error where there is none: a page that nothing has looked at is not tested
 */
export function findChromium(): string {
  const chosen = process.env.HOLDOPEN_CHROMIUM;
  if (chosen) return chosen;
  const found = inPath();
  if (found) return found;
  const installed = process.getuid?.() === 0 && install();
  const now = installed ? inPath() : undefined;
  if (now) return now;
  throw new Error(
    'no Chromium is installed, and it cannot be installed here: run apt-get install chromium as root, or set HOLDOPEN_CHROMIUM to its path',
  );
}

function inPath(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Debian's own package. */
function install(): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...words: string[]): boolean =>
    spawnSync('apt-get', words, { env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
  return apt('update', '-q') && apt('install', '-q', '-y', '--no-install-recommends', 'chromium');
}
