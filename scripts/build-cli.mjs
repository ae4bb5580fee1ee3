// Joins the modules of the command line into a few files: opening fifty costs an install more than the work itself. The
// library stays as it was compiled, a file for each module.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';

// As modules the commands are of no use to anybody.
rmSync('dist/cli', { recursive: true, force: true });

const common = {
  allowOverwrite: true,
  bundle: true,
  // What others wrote stays theirs, and is installed as a dependency.
  packages: 'external',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};

// The plain patch, all of it in one file that begins at once; every other command is a module that it imports.
const others = {
  name: 'others',
  setup(bundle) {
    bundle.onResolve({ filter: /\/main\.ts$/ }, () => ({ path: './main.js', external: true }));
  },
};
await build({
  ...common,
  entryPoints: ['src/cli/entry.ts'],
  outfile: 'dist/cli/entry.cjs',
  format: 'cjs',
  plugins: [others],
});

await build({
  ...common,
  entryPoints: ['cli/main', 'probe/host', 'probe/stand-in'].map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  chunkNames: 'cli/[name]-[hash]',
});
