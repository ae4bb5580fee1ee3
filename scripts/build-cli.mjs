// Joins the modules of the command line into a few files: opening fifty costs an install more than the work itself. The
// library stays as it was compiled, a file for each module.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';

// As modules the commands are of no use to anybody.
rmSync('dist/cli', { recursive: true, force: true });

await build({
  entryPoints: ['cli/entry', 'probe/host', 'probe/stand-in'].map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: 'dist',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  // What others wrote stays theirs, and is installed as a dependency.
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: 'cli/[name]-[hash]',
  logLevel: 'warning',
});
