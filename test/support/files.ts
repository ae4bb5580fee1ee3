import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The file holds these bytes, and nothing lies beside it but what the test put there. */
export function assertUntouched(root: string, file: string, bytes: Buffer | string): void {
  const path = join(root, file);
  assert.deepEqual(readFileSync(path), Buffer.from(bytes));
  assert.deepEqual(
    readdirSync(dirname(path)).filter((name) => name.includes('.tmp')),
    [],
  );
}
