import { type Command, InvalidArgumentError, Option } from 'commander';
import type { News } from '../release/types.ts';
import type { CheckFormatName } from '../report/check.ts';
import type { CheckCommandOptions } from './check.ts';
import { outputParser } from './output-option.ts';
import { here } from './here.ts';
import { namedPath } from './named-path.ts';

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

type Parsed = Omit<CheckCommandOptions, 'specs' | 'cwd' | 'version'>;

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
    .action((specs: string[], parsed: Parsed) => action({ ...parsed, specs, version, cwd: here() }));
}

function parseNews(value: string): News[] {
  if (value === 'none') return [];
  return value.split(',').map((word) => {
    const news = newsChoices.find((known) => known === word.trim());
    if (news === undefined) throw new InvalidArgumentError(`Use some of ${newsChoices.join(', ')}, or none.`);
    return news;
  });
}
