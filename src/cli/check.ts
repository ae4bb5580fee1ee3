import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HoldopenError, systemCode } from '../errors.ts';
import { ReleaseCache, cacheRoot } from '../release/cache.ts';
import { type Catalogue, shippedCatalogue } from '../release/catalogue.ts';
import { type CheckResult, type Progress, checkCatalogue, checkReleases } from '../release/check.ts';
import type { CheckReport, News } from '../release/types.ts';
import type { CheckRendering } from '../report/format.ts';
import { type CheckFormatName, checkFormats } from '../report/check.ts';
import { htmlPage } from '../report/html.ts';
import { dependencyLine } from '../report/location.ts';
import { printable } from '../report/texts.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { readText } from './locations.ts';
import type { Output } from './options.ts';
import { saveFile, showsColors, write, requireOutputs } from './output.ts';

export interface CheckCommandOptions {
  specs: readonly string[];
  package: string;
  since?: string;
  all: boolean;
  against?: string;
  fromCatalogue: boolean;
  diff: boolean;
  format: CheckFormatName;
  /** More outputs beside the one on stdout. */
  output: Output<CheckFormatName>[];
  html?: string;
  failOn: readonly News[];
  cwd: string;
  /** Of holdopen. */
  version: string;
}

/**
 * `holdopen check`: says of releases whether the patch holds and what moved. Nothing is installed and nothing of a
 * release is executed; the project is not touched.
 * @returns 0; 1 where there is news to fail on; 2 where a release could not be checked
 * @throws HoldopenError where nothing can be checked at all
 */
export async function check(options: CheckCommandOptions): Promise<ExitCode> {
  const files = [
    ...options.output.map(({ path }) => path),
    ...(options.html === undefined ? [] : [options.html]),
  ];
  requireOutputs(files, options.cwd);
  const { report, diffs } = await run(options, shippedCatalogue());
  const rendering = {
    colors: showsColors(process.stdout, process.env),
    location: location(options.cwd, options.package),
    version: options.version,
  };
  for (const { format, path } of options.output) save(path, checkFormats[format], report, rendering, options);
  if (options.html !== undefined) save(options.html, htmlPage, report, rendering, options);
  await stepSummary(report, rendering, options);
  // Text in a literal of the release may hold escapes of the terminal.
  await write(process.stdout, diffs.split('\n').map(printable).join('\n'));
  await write(process.stdout, checkFormats[options.format].render(report, rendering));
  return checkExitCode(report, options.failOn);
}

/**
 * In a job of GitHub Actions the result is on the job's page as well, unless it is asked for in this form anyway. One that
 * cannot be written costs nobody the result.
 */
async function stepSummary(
  report: CheckReport,
  rendering: CheckRendering,
  { format, output }: CheckCommandOptions,
): Promise<void> {
  const name: CheckFormatName = 'github-summary';
  const path = process.env.GITHUB_STEP_SUMMARY ?? '';
  const asked = format === name || output.some((one) => one.format === name);
  if (process.env.GITHUB_ACTIONS !== 'true' || path === '' || asked) return;
  try {
    // Steps before this one may have written to it.
    appendFileSync(path, checkFormats[name].render(report, { ...rendering, colors: false }));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    await write(process.stderr, `holdopen: warning: cannot write the step summary (${code})\n`);
  }
}

/** The exit code: what could not be checked outweighs news, since nobody knows whether that is all. */
export function checkExitCode(report: CheckReport, failOn: readonly News[]): ExitCode {
  if (report.failures.length > 0) return exitCodes.failed;
  const found = report.releases.some(({ news }) => news.some((one) => failOn.includes(one)));
  return found ? exitCodes.findings : exitCodes.clean;
}

async function run(options: CheckCommandOptions, catalogue: Catalogue): Promise<CheckResult> {
  if (options.diff && options.format !== 'human')
    throw usage('--diff shows code of a release, for people only', 'holdopen check --diff');
  if (options.fromCatalogue) {
    const others = options.specs.length > 0 || options.against !== undefined || options.diff;
    if (others || options.package !== catalogue.package)
      throw usage(
        `--from-catalogue shows what is recorded of ${catalogue.package}, all of it or --since a version`,
        'holdopen check --all --from-catalogue',
      );
    return { report: checkCatalogue(catalogue, options), diffs: '' };
  }
  const interrupt = new AbortController();
  const onSignal = (): void => interrupt.abort();
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  const bar = new ProgressLine(process.stderr);
  try {
    const result = await checkReleases({
      ...options,
      catalogue,
      cache: new ReleaseCache(cacheRoot(process.env)),
      signal: interrupt.signal,
      onProgress: (progress) => bar.show(progress),
    });
    // A signal that came while the last one was judged is heard of once the event loop has gone round.
    await setImmediate();
    await setImmediate();
    interrupt.signal.throwIfAborted();
    return result;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new HoldopenError({
      code: 'interrupted',
      message: 'interrupted; what was downloaded is kept',
      hint: 'the same command goes on where it stopped',
      cause: error,
    });
  } finally {
    bar.clear();
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

/** One line that is written over on a terminal; elsewhere a line now and then, so that a log shows life. */
class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  #last = Date.now();

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  show({ done, of, name, step }: Progress): void {
    const text = `checked ${String(done)} of ${String(of)}${step === 'done' ? '' : `, ${step} ${name}`}`;
    if (this.#stream.isTTY) this.#stream.write(`\r\u001b[K${text.slice(0, this.#stream.columns - 1)}`);
    else if (done < of && Date.now() - this.#last > 10_000) {
      this.#last = Date.now();
      this.#stream.write(`holdopen: ${text}\n`);
    }
  }

  clear(): void {
    if (this.#stream.isTTY) this.#stream.write('\r\u001b[K');
  }
}

/** Where the project asks for the package, else the top of its package.json: there it should. */
function location(cwd: string, name: string): CheckRendering['location'] {
  const line = dependencyLine(readText(join(cwd, 'package.json')) ?? '', name);
  return { uri: 'package.json', line: line ?? 1 };
}

function save(
  path: string,
  format: { render: (report: CheckReport, rendering: CheckRendering) => string },
  report: CheckReport,
  rendering: CheckRendering,
  { cwd }: CheckCommandOptions,
): void {
  saveFile(resolve(cwd, path), path, format.render(report, { ...rendering, colors: false }));
}

function usage(message: string, hint: string): HoldopenError {
  return new HoldopenError({ code: 'usage', message, hint });
}
