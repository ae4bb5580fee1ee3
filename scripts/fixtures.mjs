// Makes fixtures/dist from fixtures/src: every program with its parts, through every minifier, property names kept.
//   node scripts/fixtures.mjs           writes
//   node scripts/fixtures.mjs --check   writes nothing, names what differs, exits 1 if anything does
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { compose } from './compose.mjs';
import { minifiers } from './minifiers.mjs';

const sources = new URL('../fixtures/src/', import.meta.url);
const results = new URL('../fixtures/dist/', import.meta.url);

/** File name in fixtures/dist -> its text. */
async function render() {
  const files = new Map();
  for (const name of (await readdir(sources)).filter((name) => name.endsWith('.mjs')).sort()) {
    const url = new URL(name, sources);
    const text = compose(url);
    for (const [minifier, run] of Object.entries(minifiers)) {
      files.set(name.replace(/\.mjs$/, `.${minifier}.mjs`), await run(text, url));
    }
  }
  return files;
}

const rendered = await render();
const present = await readdir(results).catch(() => []);
if (process.argv.includes('--check')) {
  const differing = present.filter((name) => !rendered.has(name)).map((name) => `${name}: has no source`);
  for (const [name, text] of rendered) {
    const found = await readFile(new URL(name, results), 'utf8').catch(() => undefined);
    if (found !== text) differing.push(`${name}: ${found === undefined ? 'is missing' : 'differs'}`);
  }
  for (const text of differing) console.error(text);
  console.log(`${rendered.size} files, ${differing.length} not as generated`);
  process.exitCode = differing.length > 0 ? 1 : 0;
} else {
  await mkdir(results, { recursive: true });
  for (const name of present) if (!rendered.has(name)) await rm(new URL(name, results));
  for (const [name, text] of rendered) await writeFile(new URL(name, results), text);
  console.log(`${rendered.size} files written`);
}
