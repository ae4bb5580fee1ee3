import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

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
  /** When to send SIGINT, as Ctrl-C does. */
  interrupt?: Promise<void>;
  /** No file may become larger than that many blocks of `ulimit -f`. */
  mostBlocks?: number;
  /** Ended with SIGKILL after so many milliseconds, for what would else wait for ever, whatever it does with a signal. */
  timeout?: number;
}

/** Runs the CLI from source in a process of its own, with an environment that says nothing. */
export async function runCli(args: readonly string[], options: ChildOptions = {}): Promise<Ended> {
  cli ??= bundle('dist/cli/entry.mjs', { entryPoints: [join(repository, 'src/cli/entry.ts')] });
  return runNode([await cli, ...args], options);
}

/** Runs TypeScript given as text; `$SRC` in it stands for the path of `src`. */
export async function runScript(text: string, options: ChildOptions = {}): Promise<Ended> {
  const contents = text.replaceAll('$SRC', join(repository, 'src'));
  const script = bundle(`script-${(scripts += 1)}.mjs`, {
    stdin: { contents, resolveDir: repository, loader: 'ts' },
  });
  return runNode([await script], options);
}

let cli: Promise<string> | undefined;
let scripts = 0;
let folder: string | undefined;

/**
 * One plain file, made once: a child that compiles for itself takes ten times as long to start. The folder has the files
 * where the built CLI looks for its version and the catalogue.
 */
async function bundle(file: string, options: BuildOptions): Promise<string> {
  folder ??= temporaryFolder();
  const outfile = join(folder, file);
  // commander is CommonJS and requires what is built into Node.
  const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
  await build({
    ...options,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile,
    banner: { js },
  });
  return outfile;
}

/** A folder that every user can read and that is gone when this process is. */
function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'holdopen-child-'));
  chmodSync(path, 0o755);
  for (const name of ['package.json', 'catalogue.json'])
    copyFileSync(join(repository, name), join(path, name));
  // The libraries that are loaded only where they are needed are not in the bundle.
  symlinkSync(join(repository, 'node_modules'), join(path, 'node_modules'), 'junction');
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

function runNode(args: readonly string[], options: ChildOptions): Promise<Ended> {
  const { cwd = repository, env = {}, unprivileged = false, interrupt, mostBlocks, timeout } = options;
  const user = unprivileged && process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  return new Promise((resolve, reject) => {
    const limit = mostBlocks === undefined ? [] : ['sh', '-c', `ulimit -f ${mostBlocks}; exec "$0" "$@"`];
    const [program = '', ...words] = [...limit, process.execPath, ...args];
    const child = spawn(program, words, {
      cwd,
      env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
      ...user,
    });
    void interrupt?.then(() => child.kill('SIGINT'));
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
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
