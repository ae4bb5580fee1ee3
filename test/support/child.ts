import { spawn } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const tsx = import.meta.resolve('tsx');

/** A user without any right on what is not theirs. */
const nobody = 65534;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface ChildOptions {
  cwd?: string;
  env?: Record<string, string>;
  /**
   * Run without the rights of root, for which no file is unreadable. Where the tests run as a plain user, that user is
   * used: the modes of the tree bind it as well.
   */
  unprivileged?: boolean;
  /** Kill the child as soon as its output holds this. */
  killAt?: string;
}

/** Runs the CLI from source in a process of its own, with an environment that says nothing. */
export function runCli(args: readonly string[], options: ChildOptions = {}): Promise<Ended> {
  return runNode([join(repository, 'src/cli/main.ts'), ...args], options);
}

/** Runs TypeScript given as text; `$SRC` in it stands for the URL of `src`. */
export function runScript(text: string, options: ChildOptions = {}): Promise<Ended> {
  const source = text.replaceAll('$SRC', pathToFileURL(join(repository, 'src')).href);
  return runNode(['--input-type=module', '--eval', source], options);
}

function runNode(args: readonly string[], options: ChildOptions): Promise<Ended> {
  const { cwd = repository, env = {}, unprivileged = false, killAt } = options;
  const user = unprivileged && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', tsx, ...args], {
      cwd,
      // tsx keeps a cache, which another user could neither read nor write.
      env: { PATH: process.env.PATH, NO_COLOR: '1', TSX_DISABLE_CACHE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...user,
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
        if (killAt !== undefined && output[name].includes(killAt)) child.kill('SIGKILL');
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}

/** Gives a tree to the user that `unprivileged` children run as, so that its modes alone decide. */
export function giveAway(path: string): void {
  if (process.getuid?.() !== 0) return;
  if (lstatSync(path).isSymbolicLink()) {
    lchownSync(path, nobody, nobody);
    return;
  }
  chownSync(path, nobody, nobody);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) giveAway(join(path, name));
}
