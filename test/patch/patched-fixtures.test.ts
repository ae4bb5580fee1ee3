import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { sourceBytes } from '../../src/locate/source.ts';
import { type Step, canUseTool, hookCallback, mcpToolCall } from '../../src/probe/timeline.ts';
import { type HostScript, driveFixture } from '../support/drive-fixture.ts';
import { fixture } from '../support/fixtures.ts';
import { outlivesTurn, plainTurn } from '../support/timelines.ts';
import { patchSource } from '../support/texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdopen-patched-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function patchedFile(name: string): string {
  const result = patchSource(fixture(name));
  assert.equal(result.outcome, 'patched');
  const path = join(folder, name.replace('/', '-'));
  if (result.outcome === 'patched') writeFileSync(path, sourceBytes(result.source));
  return path;
}

const permission = {
  kind: 'canUseTool',
  host: { canUseTool: { does: 'allow' } },
  request: canUseTool('r1'),
} as const;
const hook = {
  kind: 'hooks only',
  host: { hooks: { PreToolUse: { does: 'deny' } } },
  request: hookCallback('r1', 'PreToolUse'),
} as const;
const tool = {
  kind: 'in-process MCP',
  host: { mcpServers: ['desk'] },
  request: mcpToolCall('r1', 'desk', 'look'),
};
/** Every kind of callback, every kind of prompt, every kind of task; the probe plays all combinations. */
const situations: { kind: string; host: HostScript; request: Step; prompt?: string; idles: boolean }[] = [
  { ...permission, idles: false },
  { ...permission, idles: true, prompt: 'go' },
  { ...hook, idles: true },
  { ...hook, idles: false, prompt: 'go' },
  { ...tool, idles: false },
];
const names = [
  'timed-race',
  'timed-race-hooks',
  'inactivity',
  'inactivity-result',
  'first-result',
  'first-result-mirror',
  'run-end',
  'run-end-prompt-hold',
];
/** The patched bundle ends input at the last result or the frame behind it; the script waits this long for stock's. */
const withinMs = 150;

for (const name of names) {
  describe(`patched ${name}`, { concurrency: 2 }, () => {
    const bundle = patchedFile(`src/${name}.mjs`);
    for (const { kind, host, request, prompt, idles } of situations) {
      const title = `${kind}, ${prompt === undefined ? 'iterable' : 'string'}`;
      test(`${idles ? 'S13 shell' : 'S1 subagent'} outlives the turn: served (${title})`, async () => {
        const timeline = outlivesTurn(request, { withinMs, idles });
        const run = await driveFixture({ bundle, timeline, host, ...(prompt && { prompt }) });
        assert.deepEqual(
          { lost: run.lost, served: run.served.length, hung: run.hung, ended: run.ended },
          { lost: [], served: 1, hung: false, ended: 'done' },
          JSON.stringify(run.log.slice(-12)),
        );
      });
    }
    // Where silence ends input, stock has not asked for its end yet.
    for (const does of name.startsWith('inactivity') ? [] : (['return', 'throw'] as const))
      test(`S20 ${does} while held ends the hold at once`, async () => {
        const timeline = outlivesTurn(canUseTool('r1'), { withinMs: 5000, idles: true });
        const host: HostScript = {
          canUseTool: { does: 'allow' },
          actions: [{ at: 'result#1', does, afterMs: 50 }],
        };
        const run = await driveFixture({ bundle, timeline, host });
        assert.equal(run.hung, false);
        // '' where closing kills the CLI before it can say so.
        assert.match(run.stdinEndedAfter ?? '', /^((result|idle)#1)?$/);
      });
    test('P1 ends where stock ends', async () => {
      const host = { canUseTool: { does: 'allow' as const } };
      const plain = plainTurn(canUseTool('r1'));
      const run = await driveFixture({ bundle, timeline: plain, host });
      assert.equal(run.hung, false);
      assert.deepEqual(run.lost, []);
      assert.match(run.stdinEndedAfter ?? '', /^(result|idle)#1$/);
    });
  });
}
