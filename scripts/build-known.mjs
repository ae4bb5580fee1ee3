// Makes src/locate/known-hashes.ts and src/patch/known-places.ts from catalogue.json: the little that `patch` and `audit`
// need of it, as strings that are searched and never parsed.
import { readFileSync, writeFileSync } from 'node:fs';

const catalogue = JSON.parse(readFileSync('catalogue.json', 'utf8'));
const bundles = new Set();
const unaffected = new Set();
const places = new Set();
const shapes = new Map();
for (const release of catalogue.releases) {
  for (const bundle of release.bundles) {
    const { family, status, fingerprints } = bundle;
    // A bundle that did not bind was not seen whole: its bytes prove nothing.
    if (family === null) continue;
    const hash = bundle.sha256.slice(0, 32);
    bundles.add(hash);
    if (status === 'unaffected') unaffected.add(`${hash}:${bundle.size.toString(36)}`);
    else if (bundle.places) places.add(`${hash} ${family} ${bundle.places}`);
    if (!shapes.has(fingerprints.class)) shapes.set(fingerprints.class, release.version);
  }
}
const list = (items, mark = ',') => `${mark}${[...items].sort().join(mark)}${mark}`;
const pairs = [...shapes].map(([hash, since]) => `${hash}:${since}`);
const made = '// Made by scripts/build-known.mjs from catalogue.json; not committed.\n';
const hashes = `${made}export const BUNDLES =
  '${list(bundles)}';
export const UNAFFECTED =
  '${list(unaffected)}';
export const SHAPES =
  '${list(pairs)}';
`;
writeFileSync('src/locate/known-hashes.ts', hashes);
const known = `${made}export const KNOWN_PLACES =
  '${list(places, ';')}';
`;
writeFileSync('src/patch/known-places.ts', known);
console.log(`known: ${bundles.size} bundles, ${shapes.size} shapes, ${hashes.length + known.length} bytes`);
