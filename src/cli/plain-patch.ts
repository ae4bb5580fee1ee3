import type { PatchOptions } from './patch.ts';

/**
 * The options of `holdopen patch [dir] [--quiet] [--soft]`, as scripts of a package.json say it.
 * @returns undefined for any other command line: commander reads that, and knows what is wrong with it
 */
export function plainPatch(argv: readonly string[]): Omit<PatchOptions, 'cwd'> | undefined {
  const [command, ...words] = argv;
  if (command !== 'patch') return undefined;
  const flags = words.filter((word) => word.startsWith('-'));
  const [dir, ...more] = words.filter((word) => !word.startsWith('-'));
  if (dir === '' || more.length > 0 || flags.some((flag) => flag !== '--quiet' && flag !== '--soft'))
    return undefined;
  return {
    dir,
    files: [],
    global: false,
    format: 'human',
    output: [],
    soft: flags.includes('--soft'),
    quiet: flags.includes('--quiet'),
    dryRun: false,
    requireSdk: false,
  };
}
