//   node scripts/build-cli.mjs [dist]
// Joins the modules of the command line into a few files: opening fifty costs an install more than the work itself. The
// library stays as it was compiled, a file for each module.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

// As modules the commands are of no use to anybody.
const [dist = 'dist'] = process.argv.slice(2);
rmSync(join(dist, 'cli'), { recursive: true, force: true });

const common = {
  allowOverwrite: true,
  bundle: true,
  // What others wrote stays theirs, and is installed as a dependency.
  packages: 'external',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
};

/** Leaves a module out of a CommonJS file: who imports it gets another file's, when it asks for it. */
function beside(filter, contents) {
  return {
    name: `beside ${filter}`,
    setup(bundle) {
      const namespace = String(filter);
      bundle.onResolve({ filter }, ({ path }) => ({ path, namespace }));
      bundle.onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }));
      bundle.onLoad({ filter: /./, namespace }, () => ({ contents }));
    },
  };
}

// A plain patch with nothing to do, and what it takes to patch: as CommonJS, which begins sooner than a module. They share
// the one class that they tell errors by.
const plain = {
  ...common,
  format: 'cjs',
  // Where libraries are looked for from.
  define: { 'import.meta.url': '__filename' },
  outdir: join(dist, 'cli'),
  outExtension: { '.js': '.cjs' },
  // Blanks and comments are half of what Node would have to read.
  minifyWhitespace: true,
};
await build({
  ...plain,
  entryPoints: ['src/cli/entry.ts'],
  plugins: [
    beside(/\/main\.ts$/, 'import("./main.js")'),
    beside(/\/change\.ts$/, 'module.exports = require("./change.cjs")'),
    beside(/\/analyze\.ts$/, 'exports.analyze = (...given) => require("./change.cjs").analyze(...given)'),
  ],
});
await build({
  ...plain,
  stdin: {
    contents: 'export * from "./cli/change.ts"; export { analyze } from "./locate/analyze.ts"',
    resolveDir: 'src',
    sourcefile: 'change.ts',
  },
  outdir: undefined,
  outfile: join(dist, 'cli', 'change.cjs'),
  plugins: [
    beside(/\/errors\.ts$/, 'module.exports = require("./entry.cjs")'),
    // Only reports take normal forms.
    beside(/^astring$/, 'exports.generate = (...given) => require("astring").generate(...given)'),
  ],
});

// All other commands, as modules with shared parts.
await build({
  ...common,
  entryPoints: ['cli/main', 'probe/host', 'probe/stand-in'].map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: dist,
  splitting: true,
  format: 'esm',
  chunkNames: 'cli/[name]-[hash]',
});
