import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldopenError } from '../errors.ts';
import { findBundles } from '../locate/installs/bundles.ts';
import { displayPath, findInstalls } from '../locate/installs/index.ts';
import { type Dialect, dialects } from '../probe/dialects.ts';
import { type ProbeOptions, type Subject, probe as probeBundle } from '../probe/probe.ts';
import type { BundleProbe } from '../probe/report.ts';
import { chooseScenarios, scenarios } from '../probe/scenarios/index.ts';
import { type Kind, type PromptKind, kinds, promptKinds } from '../probe/scenarios/scenario.ts';
import { type ProbeReport, isFailure, probeJson, probeText } from '../report/probe.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { write } from './output.ts';

export interface ProbeCommand {
  /** A file or a directory. */
  path: string;
  cwd: string;
  format: 'human' | 'json';
  /** Comma-separated, each; undefined: all that make sense. */
  scenario?: string;
  kind?: string;
  prompt?: string;
  dialect?: string;
  stockOnly: boolean;
  concurrency: number;
}

/**
 * `holdopen probe`: drives bundles against the stand-in CLI, as they are and patched in memory.
 * @returns 0 where the patched ones lose nothing and the static verdicts agree, else 1
 * @throws HoldopenError where nothing could be driven
 */
export async function probe(command: ProbeCommand): Promise<ExitCode> {
  const options = probeOptions(command);
  const leave = (): never => process.exit(130);
  process.once('SIGINT', leave).once('SIGTERM', leave);
  const report: ProbeReport = { schema: 'holdopen/probe@1', bundles: [] };
  for (const { name, ...subject } of subjects(command)) {
    const outcome = await probeBundle(subject, { ...options, ...progress(name) });
    report.bundles.push({ path: name, version: subject.version, ...outcome });
  }
  if (process.stderr.isTTY) await write(process.stderr, '\r\u001b[K');
  const driven = report.bundles.filter((bundle) => 'runs' in bundle);
  await write(process.stdout, command.format === 'json' ? probeJson(report) : probeText(report));
  if (driven.length === 0 || driven.some(({ runs }) => runs.length === 0)) throw nothingDriven(command);
  return driven.every(isClean) ? exitCodes.clean : exitCodes.findings;
}

/** A bundle without a patched column is clean only where that is what the user wanted, or it needs no patch. */
function isClean({ runs, agreement }: BundleProbe): boolean {
  return agreement.agrees !== false && !runs.some(({ patched }) => patched && isFailure(patched.outcome));
}

function probeOptions({
  scenario,
  kind,
  prompt,
  dialect,
  stockOnly,
  concurrency,
}: ProbeCommand): ProbeOptions {
  const chosen = scenario === undefined ? scenarios : chooseScenarios(scenario.split(','));
  if (typeof chosen === 'string')
    throw noSuch(
      'scenario',
      chosen,
      scenarios.map(({ id }) => id),
    );
  const byId = new Map(dialects.map((each) => [each.id, each]));
  const ids = dialect === undefined ? undefined : pick('dialect', dialect, [...byId.keys()]);
  return {
    scenarios: chosen,
    kinds: kind === undefined ? undefined : (pick('kind', kind, kinds) as Kind[]),
    prompts: prompt === undefined ? undefined : (pick('prompt', prompt, promptKinds) as PromptKind[]),
    dialects: ids?.map((id) => byId.get(id)).filter((each): each is Dialect => each !== undefined),
    stockOnly,
    concurrency,
  };
}

function pick(option: string, value: string, known: readonly string[]): string[] {
  const words = value.split(',');
  const wrong = words.find((word) => !known.includes(word));
  if (wrong !== undefined) throw noSuch(option, wrong, known);
  return words;
}

const noSuch = (option: string, value: string, known: readonly string[]): HoldopenError =>
  new HoldopenError({
    code: 'usage',
    message: `there is no ${option} ${value}`,
    hint: `use some of ${known.join(', ')}, comma-separated`,
  });

/** A release of the SDK, or of the package that held it before, comes with a CLI of its own version. */
const released = /\/(claude-agent-sdk|claude-code)$/;

function subjects({ path, cwd }: ProbeCommand): (Subject & { name: string })[] {
  const place = resolve(cwd, path);
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
  const { copies, root } = findInstalls(isFile ? { files: [place], cwd } : { dir: place, cwd });
  return copies.flatMap((copy) =>
    findBundles(copy).candidates.map(({ file, bundle }) => ({
      name: isFile ? path : `${displayPath(root, copy.dir)}/${file}`.replace(/^\.\//, ''),
      path: resolve(copy.dir, file),
      bundle,
      version: released.test(copy.package) ? copy.version : null,
    })),
  );
}

/** On a terminal, one line that is written over. */
function progress(name: string): Pick<ProbeOptions, 'onProgress'> {
  if (!process.stderr.isTTY) return {};
  return {
    onProgress: (done, of) => void process.stderr.write(`\r\u001b[K${name}: ${done} of ${of} runs`),
  };
}

function nothingDriven({ path }: ProbeCommand): HoldopenError {
  return new HoldopenError({
    code: 'not-driven',
    message: `nothing in ${path} could be driven with these options`,
    hint: 'name a bundle: holdopen probe node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs',
  });
}
