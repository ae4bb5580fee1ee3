import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { statuses } from '../status.ts';
import { formatNames } from '../report/index.ts';
import type { Status } from '../types.ts';
import { type ExitCode, defaultFailOn, exitCodes } from './exit-code.ts';
import type { AuditOptions } from './audit.ts';
import type { CheckCommandOptions } from './check.ts';
import { conclude, here } from './conclude.ts';
import type { ExplainOptions } from './explain.ts';
import type { PatchOptions } from './patch.ts';
import type { ProbeCommand } from './probe.ts';
import type { SetupOptions } from './setup.ts';
import { addCheck, addProbe, addSetup, namedPath, outputParser } from './options.ts';
import { version } from './version.ts';
import type { Target } from './target.ts';

/** How commander hands over the options of a command. */
type Parsed<T extends Target> = Omit<T, keyof Target> & { file: string[]; global: boolean };

/**
 * Runs the CLI.
 * @param argv the words after the program's name
 * @returns the exit code; everything that can be said has been written
 */
function main(argv: readonly string[]): Promise<ExitCode> {
  return conclude(async () => {
    try {
      return await dispatch(argv);
    } catch (error) {
      // Help and usage errors; commander has printed them.
      if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.clean : exitCodes.failed;
      throw error;
    }
  });
}

/** Each command is loaded when it is called: `patch` runs in every install and needs none of the others. */
async function dispatch(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.clean;
  const cli = program({
    audit: async (options) => {
      const { audit } = await import('./audit.ts');
      code = await audit(options);
    },
    patch: async (options) => {
      const [{ patch }, { reporting, requireReports }] = await Promise.all([
        import('./patch.ts'),
        import('./reports.ts'),
      ]);
      requireReports(options);
      code = await patch(options, reporting);
    },
    restore: async (options) => {
      const { restore } = await import('./restore.ts');
      code = await restore(options);
    },
    explain: async (options) => {
      const { explain } = await import('./explain.ts');
      code = await explain(options);
    },
    setup: async (options) => {
      const { setup } = await import('./setup.ts');
      code = await setup(options);
    },
    check: async (options) => {
      const { check } = await import('./check.ts');
      code = await check(options);
    },
    probe: async (options) => {
      const { probe } = await import('./probe.ts');
      code = await probe(options);
    },
  });
  await cli.parseAsync(argv, { from: 'user' });
  return code;
}

interface Actions {
  audit: (options: AuditOptions) => Promise<void>;
  patch: (options: PatchOptions) => Promise<void>;
  restore: (options: Target) => Promise<void>;
  explain: (options: ExplainOptions) => Promise<void>;
  setup: (options: SetupOptions) => Promise<void>;
  check: (options: CheckCommandOptions) => Promise<void>;
  probe: (options: ProbeCommand) => Promise<void>;
}

function program(actions: Actions): Command {
  const cli = new Command('holdopen')
    .description("Keeps the Claude Agent SDK's control channel open until background tasks are done.")
    .version(version())
    .exitOverride()
    .showHelpAfterError('(holdopen --help lists the commands)')
    .addHelpText('after', examples);

  common(cli.command('audit'), 'Say what every installed copy of the SDK does; changes nothing.')
    .addOption(format())
    .addOption(output())
    .option('--ignore-file <path>', 'accepted findings (default: .holdopen.json of the project)', namedPath)
    .option('--fail-on <statuses>', 'statuses that exit with 1, comma-separated, or none', parseStatuses, [
      ...defaultFailOn,
    ])
    .option('--require-sdk', 'exit with 2 if no SDK is installed', false)
    .action((dir: string | undefined, parsed: Parsed<AuditOptions>) => actions.audit(options(dir, parsed)));

  common(cli.command('patch'), 'Patch every installed copy that needs it.')
    .addOption(format())
    .addOption(output())
    .option('--soft', 'warn instead of failing when a copy cannot be patched', false)
    .option('--dry-run', 'do everything but write', false)
    .option('--quiet', 'say nothing unless something is wrong', false)
    .option('--require-sdk', 'exit with 2 if no SDK is installed', false)
    .action((dir: string | undefined, parsed: Parsed<PatchOptions>) => actions.patch(options(dir, parsed)));

  common(cli.command('restore'), 'Give every patched copy its original bytes back.').action(
    (dir: string | undefined, parsed: Parsed<Target>) => actions.restore(options(dir, parsed)),
  );

  cli
    .command('explain')
    .description('Show what was recognised in a bundle and what patch would insert; changes nothing.')
    .argument('<path>', 'a bundle, or a directory with copies', namedPath)
    .addOption(
      new Option('--format <format>', 'how to print the result').choices(['human', 'json']).default('human'),
    )
    .option('--no-forms', 'leave out the normal forms of the methods')
    .action((path: string, parsed: Pick<ExplainOptions, 'format' | 'forms'>) =>
      actions.explain({ ...parsed, path, cwd: here() }),
    );

  addSetup(cli, actions.setup);
  addCheck(cli, version(), actions.check);

  addProbe(cli, actions.probe);
  return cli;
}

/** What every command that searches has. */
function common(command: Command, description: string): Command {
  const add = (file: string, files: string[]): string[] => [...files, namedPath(file)];
  return command
    .description(description)
    .addArgument(
      new Argument('[dir]', 'project, package or node_modules to search (default: here)').argParser(
        namedPath,
      ),
    )
    .option('--file <path>', 'look at this file or built folder instead; repeatable', add, [])
    .option('--global', "look into the package managers' global installs instead", false);
}

function format(): Option {
  return new Option('--format <format>', 'how to print the result').choices(formatNames).default('human');
}

function output(): Option {
  return new Option('--output <format=file>', 'write this format to a file as well; repeatable')
    .argParser(outputParser(formatNames))
    .default([], 'none');
}

function options<T extends Target>(dir: string | undefined, parsed: Parsed<T>): Parsed<T> & Target {
  return { ...parsed, dir, files: parsed.file, cwd: here() };
}

function parseStatuses(value: string): Status[] {
  if (value === 'none') return [];
  return value.split(',').map((word) => {
    const status = statuses.find((known) => known === word.trim());
    if (status === undefined) throw new InvalidArgumentError(`Use some of ${statuses.join(', ')}, or none.`);
    return status;
  });
}

const examples = `
Examples:
  $ holdopen audit                        is this project affected?
  $ holdopen audit --format json          the same for programs
  $ holdopen audit --file dist/server.js  does this build carry an affected SDK?
  $ holdopen setup                        run the patch after every install of this project
  $ holdopen patch                        in the "postinstall" and "dependencies" scripts of a project
  $ holdopen restore                      take the patch out again
  $ holdopen check latest                 does the patch hold on the newest release, and what moved?
  $ holdopen explain path/to/sdk.mjs      what was recognised, and what patch inserts where
  $ holdopen probe path/to/sdk.mjs        what it does, stock and patched, scenario by scenario

Exit codes: 0 clean, 1 findings, 2 the work could not be done, 3 a bug in holdopen.`;

process.exitCode = await main(process.argv.slice(2));
