import { type Command, Option } from 'commander';
import type { SetupOptions } from './setup.ts';
import { here } from './here.ts';
import { namedPath } from './named-path.ts';

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
