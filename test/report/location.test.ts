import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dependencyLine, lockfileLine } from '../../src/report/location.ts';

const copy = { package: '@x/sdk', version: '1.0.0', path: 'node_modules/@x/sdk' };

const lockfiles: Record<string, [text: string, line: number | undefined]> = {
  npm: ['{\n  "packages": {\n    "node_modules/a/node_modules/@x/sdk": {\n    "node_modules/@x/sdk": {', 4],
  pnpm: ["packages:\n\n  '@x/sdk@1.0.01':\n  '@x/sdk@1.0.0(zod@4.0.0)':", 4],
  'pnpm 5': ['packages:\n  /@x/sdk/1.0.0:', 2],
  'yarn 1': ['"@x/sdk@^0.9.0":\n  version "0.9.0"\n\n"@x/sdk@^1.0.0", "@x/sdk@1":\n  version "1.0.0"', 4],
  yarn: ['"@x/sdk@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "@x/sdk@npm:1.0.0"', 1],
  bun: ['{\n  "packages": {\n    "@x/sdk": ["@x/sdk@1.0.0", "", {}],', 3],
  'another version': ['"@x/sdk@2.0.0":\n  version "2.0.0"', undefined],
  'another scope': ["  'not-@x/sdk@1.0.0':", undefined],
};

for (const [name, [text, line]] of Object.entries(lockfiles))
  it(`the line of a lockfile: ${name}`, () => assert.equal(lockfileLine(text, copy), line));

it('the line of a package.json', () => {
  assert.equal(dependencyLine('{\n  "dependencies": {\n    "@x/sdk": "1"', '@x/sdk'), 3);
  assert.equal(dependencyLine('{}', '@x/sdk'), undefined);
});
