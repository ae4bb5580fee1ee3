// Makes src/locate/known-hashes.ts from catalogue.json: the little that `patch` and `audit` need of it, as two strings
// that are searched and never parsed.
import { readFileSync, writeFileSync } from 'node:fs';

const catalogue = JSON.parse(readFileSync('catalogue.json', 'utf8'));
const bundles = new Set();
const unaffected = new Set();
const shapes = new Map();
for (const release of catalogue.releases) {
  for (const { sha256, family, status, fingerprints } of release.bundles) {
    // A bundle that did not bind was not seen whole: its bytes prove nothing.
    if (family === null) continue;
    bundles.add(sha256.slice(0, 32));
    if (status === 'unaffected') unaffected.add(sha256.slice(0, 32));
    if (!shapes.has(fingerprints.class)) shapes.set(fingerprints.class, release.version);
  }
}
const list = (items) => `,${[...items].sort().join(',')},`;
const pairs = [...shapes].map(([hash, since]) => `${hash}:${since}`);
const text = `// Made by scripts/build-known.mjs from catalogue.json; not committed.
export const BUNDLES =
  '${list(bundles)}';
export const UNAFFECTED =
  '${list(unaffected)}';
export const SHAPES =
  '${list(pairs)}';
`;
writeFileSync('src/locate/known-hashes.ts', text);
console.log(`known: ${bundles.size} bundles, ${shapes.size} shapes, ${text.length} bytes`);
