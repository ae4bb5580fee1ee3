// Makes src/locate/known-shapes.ts from catalogue.json: the little that a report needs of it.
import { readFileSync, writeFileSync } from 'node:fs';

const { releases } = JSON.parse(readFileSync('catalogue.json', 'utf8'));
const shapes = new Map();
for (const { version, bundles } of releases)
  for (const { fingerprints } of bundles)
    if (fingerprints && !shapes.has(fingerprints.class)) shapes.set(fingerprints.class, version);
writeFileSync(
  'src/locate/known-shapes.ts',
  `// Made by scripts/build-known.mjs from catalogue.json; not committed.
const SHAPES: Readonly<Record<string, string>> = ${JSON.stringify(Object.fromEntries(shapes), null, 2)};

/**
 * The first recorded release with a class of this normal form; see \`fingerprints.ts\`.
 * @param classHash the fingerprint of the class
 * @returns its version, or undefined for a new shape
 */
export function shapeSince(classHash: string): string | undefined {
  return Object.hasOwn(SHAPES, classHash) ? SHAPES[classHash] : undefined;
}
`,
);
console.log(`known: ${shapes.size} shapes`);
