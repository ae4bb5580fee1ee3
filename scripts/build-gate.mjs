// Compiles src/patch/gate.ts, as gate/attach.ts puts it to work, into the text that is inserted into bundles: src/patch/gate-text.ts.
import { createHash } from 'node:crypto';
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
// A function declaration is hoisted: it is there for every class of the file, wherever that stands, and makes the gate when
// the first query asks for it.
const gate =
  `\n;function $holdopen(q,e){var m=$holdopen.m||($holdopen.m=(function(){${text}return g})());` +
  `return e?m.askForState(q,e):m.gateOf(q)}`;
const hash = createHash('sha256').update(gate).digest('hex').slice(0, 12);
writeFileSync(
  'src/patch/gate-text.ts',
  `// Made by scripts/build-gate.mjs; not committed.

/** The declaration at the end of a patched file. */
export const GATE_TEXT =
  ${JSON.stringify(gate)};

/** Which gate this is. */
export const GATE_HASH = '${hash}';
`,
);
console.log(`gate: ${gate.length} bytes`);
