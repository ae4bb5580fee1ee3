// The shipped augmentation of the SDK's types, compiled against the types of real releases.
import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { copyRelease } from '../support/releases.ts';

const reference = '/// <reference types="holdopen/sdk" />\n';
const host = [
  "import { query } from '@anthropic-ai/claude-agent-sdk';",
  "const release: () => void = query({ prompt: 'x' }).holdInput();",
  'release();',
].join('\n');

/** What the compiler has against a host in that project. */
async function problemsOf(dir: string, source: string): Promise<string[]> {
  const file = join(dir, 'host.mts');
  await writeFile(file, source);
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter((one) => one.file?.fileName === file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('holdInput() in the types of a release', () => {
  for (const version of ['0.2.50', '0.3.205', '0.3.332'])
    test(version, async () => {
      const { dir, dispose } = await copyRelease(version);
      try {
        const ours = join(dir, 'node_modules/holdopen');
        await mkdir(ours);
        for (const name of ['package.json', 'sdk.d.ts'])
          await cp(new URL(`../../${name}`, import.meta.url), join(ours, name));
        assert.deepEqual(await problemsOf(dir, reference + host), []);
        const without = await problemsOf(dir, host);
        assert.equal(without.length, 1);
        assert.match(without[0] ?? '', /'holdInput' does not exist on type 'Query'/);
      } finally {
        await dispose();
      }
    });
});
