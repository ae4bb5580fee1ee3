// What the tests of the gate say again and again.
import assert from 'node:assert/strict';
import { DIALECTS, type Dialect } from './gate-host.ts';

export const MINUTE = 60_000;

export const held = (at: { ended: boolean }, when: string): void =>
  assert.equal(at.ended, false, `held ${when}`);
export const ends = (at: { ended: boolean }, when: string): void =>
  assert.equal(at.ended, true, `ended ${when}`);

/** What the tool_result of a launch is marked with. */
export const shellMark = (id: string) => ({ backgroundTaskId: id, stdout: '', stderr: '' });
export const agentMark = (id: string) => ({ isAsync: true, status: 'async_launched', agentId: id });

export function dialect(name: string): Dialect {
  const found = DIALECTS.find((each) => each.name === name);
  assert(found, name);
  return found;
}
