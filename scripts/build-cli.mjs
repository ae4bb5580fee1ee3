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

/** Leaves a module out: whoever imports it gets what `text` gives, when it asks for it. */
function beside(filter, text) {
  return {
    name: `beside ${filter}`,
    setup(bundle) {
      const namespace = String(filter);
      bundle.onResolve({ filter }, ({ path }) => ({ path, namespace }));
      bundle.onResolve({ filter: /./, namespace }, ({ path }) => ({ path, external: true }));
      bundle.onLoad({ filter: /./, namespace }, () => ({ contents: text }));
    },
  };
}

// Whoever only compares the gate's hash carries no gate.
const made = await build({ ...common, entryPoints: ['src/patch/revision.ts'], format: 'esm', write: false });
const values = await import(`data:text/javascript,${encodeURIComponent(made.outputFiles[0].text)}`);
const revision = beside(/\/revision\.ts$/, `module.exports = ${JSON.stringify({ ...values })}`);

// A plain patch with nothing to do, one of recorded bytes, and what takes the parser: as CommonJS, which begins sooner than
// a module. They share the one class that they tell errors by.
const plain = {
  ...common,
  format: 'cjs',
  // Where libraries are looked for from.
  define: { 'import.meta.url': '__filename' },
  outdir: join(dist, 'cli'),
  outExtension: { '.js': '.cjs' },
};
await build({
  ...plain,
  entryPoints: ['src/cli/entry.ts'],
  // Blanks and comments are half of what Node would have to read.
  minifyWhitespace: true,
  plugins: [
    revision,
    beside(/\/main\.ts$/, 'import("./main.js")'),
    beside(/\/patching\.ts$/, 'module.exports = require("./patching.cjs")'),
  ],
});
const errors = beside(/\/errors\.ts$/, 'module.exports = require("./entry.cjs")');
const parser = `for (const name of ['analyze', 'parses', 'placesIn'])
  exports[name] = (...given) => require("./by-parser.cjs")[name](...given);`;
await build({
  ...plain,
  entryPoints: ['src/cli/patching.ts'],
  minifyWhitespace: true,
  plugins: [errors, revision, beside(/\/by-parser\.ts$/, parser)],
});
await build({
  ...plain,
  entryPoints: ['src/patch/by-parser.ts'],
  outdir: join(dist, 'cli'),
  plugins: [errors],
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
