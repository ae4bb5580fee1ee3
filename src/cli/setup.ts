import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { HoldopenError, systemCode } from '../errors.ts';
import { parseManifest } from '../locate/installs/manifest.ts';
import type { Manifest } from '../locate/installs/manifest.ts';
import { readRegular } from '../locate/installs/read.ts';
import { projectRoot } from '../locate/installs/project.ts';
import { replaceFile } from '../patch/write.ts';
import { printable } from '../report/texts.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { write } from './output.ts';
import { readScripts, setScript } from './package-scripts.ts';
import { patchCommand, runsPatch, withPatch, withoutPatch } from './setup-command.ts';
import { type ManagerFacts, managerOf } from './setup-manager.ts';

export interface SetupOptions {
  dir?: string | undefined;
  /** Say whether it is set up, and change nothing. */
  check: boolean;
  /** Take out what an earlier run put in. */
  remove: boolean;
  cwd: string;
}

/** The root's package.json. The text is bytes as latin1, so that what is not touched stays as it is. */
interface Project {
  path: string;
  root: string;
  bytes: Buffer;
  text: string;
  manifest: Manifest;
  scripts: ReadonlyMap<string, string>;
}

/**
 * `holdopen setup`: lets the root package.json run the patch after every install. Nothing but those scripts changes.
 * @returns 0; 1 where `--check` finds a script missing, or `--remove` one that it cannot take apart
 * @throws HoldopenError where there is no package.json that can be changed
 */
export async function setup(options: SetupOptions): Promise<ExitCode> {
  const project = readProject(options);
  const manager = managerOf(project.root, project.manifest.packageManager);
  if (options.check) return check(project, manager);
  return options.remove ? remove(project) : wire(project, manager);
}

async function wire(project: Project, manager: ManagerFacts): Promise<ExitCode> {
  const changes = manager.scripts.map((name): Change => {
    const now = project.scripts.get(name);
    return { name, command: runsPatch(now) ? now : withPatch(now) };
  });
  const done = save(project, changes);
  const lines = changes.map(({ name, command }) =>
    done.has(name)
      ? `added to "${name}": ${command ?? ''}`
      : `"${name}" runs the patch already: ${command ?? ''}`,
  );
  await say(project, [...lines, ...notes(project, manager)]);
  return exitCodes.clean;
}

async function check(project: Project, manager: ManagerFacts): Promise<ExitCode> {
  const missing = manager.scripts.filter((name) => !runsPatch(project.scripts.get(name)));
  if (missing.length === 0) {
    await say(project, [`${quoted(manager.scripts)} run the patch`]);
    return exitCodes.clean;
  }
  await say(project, [`${quoted(missing)} do not run "${patchCommand}". Next: npx holdopen setup`]);
  return exitCodes.findings;
}

async function remove(project: Project): Promise<ExitCode> {
  const wired = [...project.scripts].filter(([, script]) => runsPatch(script));
  const changes = wired.map(([name, script]): Change => ({ name, command: withoutPatch(script) }));
  const done = save(project, changes);
  const left = changes.filter(({ command }) => runsPatch(command)).map(({ name }) => name);
  const lines = [...done].map((name) => {
    const command = changes.find((change) => change.name === name)?.command;
    return command === undefined ? `took out "${name}"` : `took the patch out of "${name}": ${command}`;
  });
  if (left.length > 0) lines.push(`${quoted(left)} run the patch in a way that only you can take apart`);
  if (wired.length === 0) lines.push('no script runs the patch');
  await say(project, lines);
  return left.length > 0 ? exitCodes.findings : exitCodes.clean;
}

interface Change {
  name: string;
  /** `undefined`: the script goes. */
  command: string | undefined;
}

/** @returns the names of the scripts that changed */
function save(project: Project, changes: readonly Change[]): Set<string> {
  const real = changes.filter(({ name, command }) => project.scripts.get(name) !== command);
  const text = real.reduce((before, { name, command }) => setScript(before, name, command), project.text);
  if (text === project.text) return new Set();
  proveOnlyScripts(project, text, real);
  replaceFile(project.path, project.bytes, Buffer.from(text, 'latin1'), { root: project.root });
  return new Set(real.map(({ name }) => name));
}

/** The text was edited by hand, so to say: nothing is written that does not parse to what was meant. */
function proveOnlyScripts(project: Project, text: string, changes: readonly Change[]): void {
  const scripts = new Map(project.scripts);
  for (const { name, command } of changes) {
    if (command === undefined) scripts.delete(name);
    else scripts.set(name, command);
  }
  const rest = (manifest: unknown): object => ({ ...(manifest as object), scripts: undefined });
  const [before, after] = [project.text, text].map(
    (one) => JSON.parse(one.slice(one.indexOf('{'))) as Manifest,
  );
  const meant = Object.fromEntries(scripts);
  if (isDeepStrictEqual(after?.scripts ?? {}, meant) && isDeepStrictEqual(rest(after), rest(before))) return;
  throw unusable(project.path, 'its scripts cannot be changed without changing anything else');
}

function notes({ root, manifest }: Project, manager: ManagerFacts): string[] {
  const has = (field: string): boolean =>
    Object.hasOwn(manifest[field] ?? {}, 'holdopen') || manifest.name === 'holdopen';
  const workspaceGap = manifest.workspaces === undefined ? undefined : manager.workspaceGap;
  const lines = [manager.gap, workspaceGap].filter((gap) => gap !== undefined);
  if (has('dependencies') || has('optionalDependencies')) return lines;
  if (has('devDependencies'))
    lines.push(
      'an install without devDependencies has no holdopen: move it to dependencies if you make such ones',
    );
  else lines.push(`${root} does not have holdopen yet. Next: ${manager.install}`);
  return lines;
}

async function say({ path }: Project, lines: readonly string[]): Promise<void> {
  const text = [path, ...lines.map((line) => `  ${line}`)].map((line) => `${printable(line)}\n`);
  await write(process.stdout, text.join(''));
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}

function readProject({ dir, cwd }: SetupOptions): Project {
  const start = resolve(cwd, dir ?? '.');
  if (statSync(start, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw unusable(start, 'there is no such directory');
  const ignored = { addCopy: () => undefined, addUnreadable: () => undefined, enter: () => true };
  const root = projectRoot(realpathSync.native(start), ignored);
  const path = join(root, 'package.json');
  const bytes = read(path);
  const result = parseManifest(bytes.toString('utf8'));
  if (result.state !== 'ok')
    throw unusable(path, result.state === 'broken' ? `it is ${result.detail}` : 'it is not there');
  const text = bytes.toString('latin1');
  try {
    return { path, root, bytes, text, manifest: result.manifest, scripts: readScripts(text).scripts };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unusable(path, error.message);
  }
}

function read(path: string): Buffer {
  try {
    return readRegular(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw unusable(path, code === 'ENOENT' ? 'there is no such file' : code, error);
  }
}

function unusable(path: string, why: string, cause?: unknown): HoldopenError {
  return new HoldopenError({
    code: 'no-package-json',
    message: printable(`cannot set up ${path}: ${why}`),
    hint: 'name the directory that holds the package.json: holdopen setup path/to/project',
    cause,
  });
}
