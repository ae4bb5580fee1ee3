import { type Command, InvalidArgumentError, Option } from 'commander';
import type { News } from '../release/types.ts';
import type { CheckFormatName } from '../report/check.ts';
import type { CheckCommandOptions } from './check.ts';
import { here } from './conclude.ts';
import type { ProbeCommand } from './probe.ts';
import type { SetupOptions } from './setup.ts';

/** A path of the command line. An empty one comes from a variable that is not set, and would mean "here". */
export function namedPath(value: string): string {
  if (value === '') throw new InvalidArgumentError('It is empty: name a path, or leave it out.');
  return value;
}

/** One `--output FORMAT=FILE`. */
export interface Output<F extends string> {
  format: F;
  path: string;
}

/**
 * Reads a repeatable `--output`.
 * @param names of the formats that the command has
 * @returns what adds one to those before it; throws InvalidArgumentError where it is not `FORMAT=FILE`
 */
export function outputParser<F extends string>(
  names: readonly F[],
): (value: string, before: Output<F>[]) => Output<F>[] {
  return (value, before) => {
    const [, name, path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
    const format = names.find((known) => known === name);
    if (format === undefined || path === '')
      throw new InvalidArgumentError(`Use FORMAT=FILE, with one of ${names.join(', ')}.`);
    return [...before, { format, path }];
  };
}

// Written out here, since what `check` itself needs must not be loaded for the other commands; a test holds them equal.
export const formatChoices: readonly CheckFormatName[] = [
  'human',
  'json',
  'github-summary',
  'sarif',
  'junit',
];
export const newsChoices: readonly News[] = [
  'unpatchable',
  'changed',
  'family',
  'facts',
  'bundles',
  'unneeded',
  'shape',
];

type ParsedCheck = Omit<CheckCommandOptions, 'specs' | 'cwd' | 'version'>;

/** Adds `check` to the CLI. */
export function addCheck(
  cli: Command,
  version: string,
  action: (options: CheckCommandOptions) => Promise<void>,
): void {
  cli
    .command('check')
    .description('Say of releases whether the patch holds and what moved; installs and changes nothing.')
    .argument('[spec...]', 'versions, ranges, dist-tags, tarballs, package directories', undefined)
    .option('--package <name>', 'another package that has the SDK in it', '@anthropic-ai/claude-agent-sdk')
    .option('--since <version>', 'every release newer than this one')
    .option('--all', 'every release', false)
    .option('--against <version>', 'compare with this release instead of the one before')
    .option('--from-catalogue', 'show what is recorded, fetch nothing', false)
    .option('--diff', 'also print what changed in normal form', false)
    .addOption(
      new Option('--format <format>', 'how to print the result').choices(formatChoices).default('human'),
    )
    .option(
      '--output <format=file>',
      'write this format to a file as well; repeatable',
      outputParser(formatChoices),
      [],
    )
    .option('--html <file>', 'write a page with the timeline of what was checked', namedPath)
    .option('--fail-on <news>', 'what exits with 1, comma-separated, or none', parseNews, [
      ...newsChoices.filter((news) => news !== 'shape'),
    ])
    .action((specs: string[], parsed: ParsedCheck) => action({ ...parsed, specs, version, cwd: here() }));
}

function parseNews(value: string): News[] {
  if (value === 'none') return [];
  return value.split(',').map((word) => {
    const news = newsChoices.find((known) => known === word.trim());
    if (news === undefined) throw new InvalidArgumentError(`Use some of ${newsChoices.join(', ')}, or none.`);
    return news;
  });
}

/** Adds `probe` to the CLI; what it needs is loaded when it is called. */
export function addProbe(cli: Command, action: (options: ProbeCommand) => Promise<void>): void {
  cli
    .command('probe')
    .description(
      'Run bundles, stock and patched, against a stand-in CLI; executes their code, writes nothing.',
    )
    .argument('<path>', 'a bundle, or a directory with copies', namedPath)
    .addOption(
      new Option('--format <format>', 'how to print the result').choices(['human', 'json']).default('human'),
    )
    .option('--scenario <ids>', 'only these, comma-separated: S1,S13-stopped')
    .option('--kind <kinds>', 'only with these callbacks: canUseTool,hooks,mcp,none')
    .option('--prompt <kinds>', 'only with these prompts: iterable,string')
    .option('--dialect <ids>', 'how the CLI speaks, else as the CLIs do that the release meets')
    .option('--stock-only', 'leave the patched bundle out', false)
    .option('--concurrency <n>', 'how many runs at a time', parseCount, 4)
    .action((path: string, parsed: Omit<ProbeCommand, 'path' | 'cwd'>) =>
      action({ ...parsed, path, cwd: here() }),
    );
}

function parseCount(value: string): number {
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Use a number from 1 to 99.');
}

/** Adds `setup` to the CLI; what it needs is loaded when it is called. */
export function addSetup(cli: Command, action: (options: SetupOptions) => Promise<void>): void {
  cli
    .command('setup')
    .description('Let the root package.json run the patch after every install.')
    .argument('[dir]', 'the project (default: here)', namedPath)
    .addOption(
      new Option('--check', 'say whether it does, change nothing; exits with 1 if not')
        .default(false)
        .conflicts('remove'),
    )
    .option('--remove', 'take the patch out of the scripts again', false)
    .action((dir: string | undefined, parsed: Pick<SetupOptions, 'check' | 'remove'>) =>
      action({ ...parsed, dir, cwd: here() }),
    );
}
