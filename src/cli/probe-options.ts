import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProbeCommand } from './probe.ts';
import { here } from './here.ts';
import { namedPath } from './named-path.ts';

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
