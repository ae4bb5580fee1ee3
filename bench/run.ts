// npm run bench [-- --quick] [-- --only patch,trees,size,check]
// Measures the built CLI and writes each part into docs/performance.md as soon as it is done; --quick takes fewer rounds and
// smaller trees and writes nothing.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { installRelease } from '../test/support/releases.ts';
import type { Bench } from './bench.ts';
import { measureCheck } from './check.ts';
import { measurePatch } from './patch.ts';
import { measureSizes } from './sizes.ts';
import { measureTrees } from './trees-of-copies.ts';

const release = '0.3.332';

const parts = { patch: measurePatch, trees: measureTrees, size: measureSizes, check: measureCheck };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(parts).join() },
  },
});
const dir = mkdtempSync(join(realpathSync.native(tmpdir()), 'holdopen-bench-'));
try {
  const bench: Bench = {
    dir,
    release: await installRelease(release),
    version: release,
    cli: fileURLToPath(new URL('../bin/holdopen.js', import.meta.url)),
    quick: values.quick,
  };
  for (const name of values.only.split(',')) {
    const part = parts[name as keyof typeof parts] as (typeof parts)[keyof typeof parts] | undefined;
    if (part === undefined) throw new Error(`no part ${name}: there are ${Object.keys(parts).join(', ')}`);
    console.error(`measuring: ${name}`);
    const text = part({ ...bench, dir: join(dir, name) });
    console.log(`${text}\n`);
    if (!values.quick) await writePart(name, text);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

/** Puts a part in its place on the page; those that were not measured now stay. */
async function writePart(name: string, text: string): Promise<void> {
  const page = 'docs/performance.md';
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const sections = Object.keys(parts).flatMap((part) => {
    const mark = `<!-- ${part} -->`;
    if (part === name) return [`${mark}\n\n${text}`];
    const [, rest] = before.split(mark);
    return rest === undefined ? [] : [`${mark}${rest.split('<!-- ')[0] ?? ''}`];
  });
  const whole = [preamble(), ...sections].join('\n\n');
  writeFileSync(page, await format(whole, { parser: 'markdown', printWidth: 110 }));
}

function preamble(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# How long it takes

\`npm run bench\` writes this page: whole processes, from start to exit, each command once a round and in turn, one round
before that does not count. Numbers are medians, with the quartiles in brackets. Ratios are taken within a round, so that
they hold where times do not: on another machine, or on one with other work to do, as this one had. It was a virtual
${cpus()[0]?.model.trim() ?? 'unknown'} with ${cpus().length} cores and ${memory} GB, ${process.platform}, Node ${process.version}.`;
}
