// Compiles src/patch/gate.ts, as gate/attach.ts puts it to work, into the text that is inserted into bundles: src/patch/gate-text.ts.
import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: ['src/patch/gate/attach.ts'],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  globalName: 'g',
  target: 'es2020',
  charset: 'ascii',
  legalComments: 'none',
});
const text = outputFiles[0].text.trim();
writeFileSync(
  'src/patch/gate-text.ts',
  `// Made by scripts/build-gate.mjs; not committed.\nexport const GATE_TEXT =\n  ${JSON.stringify(text)};\n`,
);
console.log(`gate: ${text.length} bytes`);
