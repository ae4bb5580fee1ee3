/**
 * The main job on a real SDK, in a scratch project: shows the fault, patches, shows it gone, restores.
 *   npm run demo [-- VERSION]
 * The SDK and its own CLI come from the npm registry; the model is a script on loopback, so no key is needed.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Run, drive } from '../test/live/drive.ts';
import { conversations, launch, say, shell, use } from '../test/live/messages-api.ts';
import { copyRelease } from '../test/support/releases.ts';

const version = process.argv[2] ?? '0.3.205';
const bin = fileURLToPath(new URL('../bin/holdopen.js', import.meta.url));
const step = (text: string): void => console.log(`\n== ${text}`);

step(
  `Installing @anthropic-ai/claude-agent-sdk@${version} and its CLI (the first time this downloads a lot)`,
);
const { dir, packageDir, dispose } = await copyRelease(version, { cli: true });
const sdk = join(packageDir, 'sdk.mjs');
const sha256 = (): string => createHash('sha256').update(readFileSync(sdk)).digest('hex');
const original = sha256();

/** Runs `holdopen` as a user does, in the scratch project. */
function holdopen(...words: string[]): void {
  console.log(`$ holdopen ${words.join(' ')}`);
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...words], {
    cwd: dir,
    encoding: 'utf8',
  });
  console.log(`${stdout}${stderr}(exit code ${String(status)})`);
}

/**
 * The model starts a subagent in the background and ends its turn. The agent reads one file during the turn and one
 * after it; a background shell ends after that, and its news makes the model read a third.
 */
async function run(): Promise<boolean> {
  const read = (path: string): ReturnType<typeof use> => use('Read', { file_path: path });
  const script = conversations({
    main: [
      launch('A', { background: true }),
      shell('sleep 3', { background: true }),
      say('launched'),
      ...wakes(),
    ],
    A: [read('/etc/hostname'), shell('sleep 1'), read('/etc/os-release'), say('the agent is done')],
  });
  const prompt = [{ say: '[[main]] go' }];
  const result = await drive({ sdk, script, prompt, callbacks: { canUseTool: { behavior: 'allow' } } });
  return report(result);

  function wakes(): ReturnType<typeof say>[] {
    return [read('/etc/passwd'), say('one'), read('/etc/group'), say('two'), say('three')];
  }
}

function report({ timeline, streamClosed, hung, endedAt }: Run): boolean {
  const first = timeline.find(({ frame }) => frame?.type === 'result')?.t ?? 0;
  const asked = timeline.filter(({ event }) => event === 'canUseTool');
  for (const { t, input } of asked)
    console.log(`  ${when(t, first)}  canUseTool was asked for ${JSON.stringify(input ?? '')}`);
  for (const { t, event, toolResults } of timeline) {
    if (event !== 'model') continue;
    for (const { isError, text } of toolResults as { isError: boolean; text: string }[])
      if (isError) console.log(`  ${when(t, first)}  DENIED: ${text.slice(0, 90)}`);
  }
  const end = hung
    ? 'hung'
    : `ended by itself ${((((endedAt ?? 0) - first) / 1000) | 0).toString()} s after the first result`;
  console.log(
    `  ${String(asked.length)} request${asked.length === 1 ? '' : 's'} reached this process, ${String(streamClosed.length)} died with "Stream closed"; ${end}`,
  );
  return streamClosed.length === 0 && !hung;
}

const when = (t: number, first: number): string =>
  t < first ? 'during the first turn' : `${((t - first) / 1000).toFixed(1)} s after its result`;

try {
  step('Stock: what happens to requests after the first result');
  const stock = await run();
  step('What holdopen says');
  holdopen('audit');
  step('Patching');
  holdopen('patch');
  step('Patched: the same run');
  const patched = await run();
  step('What holdopen says now');
  holdopen('audit');
  step('Taking the patch out again');
  holdopen('restore');
  const same = sha256() === original;
  console.log(same ? 'sdk.mjs has its original sha256' : 'sdk.mjs DIFFERS from the original');
  const shown = !stock && patched && same;
  console.log(
    `\n${shown ? 'The fault was there, and the patch took it away.' : 'This did not show what it should.'}`,
  );
  process.exitCode = shown ? 0 : 1;
} finally {
  await dispose();
}
