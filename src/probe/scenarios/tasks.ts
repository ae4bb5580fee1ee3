import { hasEdges } from '../dialects.ts';
import { type Table, agent, asked, ended, oneWay, shell, turn, wake } from './scenario.ts';

/** A task never settles, and the ceiling bounds the hold. */
const endless = { env: { HOLDOPEN_CEILING_MS: '600' }, expect: { ceilingMs: 600 } };

/** What shells, monitors and workflows lead to, whether they ever end or not; and wake-ups, which nothing announces. */
export const tasks: Table = {
  S4: {
    title: 'the turn after a task calls an in-process tool, with nothing running',
    kinds: ['mcp', 'canUseTool'],
    story: [asked(shell('A')), ended('A', { quiet: 200 }, { ask: 'r1' }, { ask: 'r2' }), 'over'],
  },
  S8: {
    title: 'the turn after a subagent starts a shell, whose end wakes the model again',
    story: [asked(agent('A')), ended('A', shell('B'), { ask: 'r1' }), ended('B', { ask: 'r2' }), 'over'],
  },
  S9: {
    title: 'a task is over before the result, its turn comes after it',
    story: [
      [{ expect: 'user' }, 'turn', shell('A'), { pause: 30 }, { end: 'A', late: true }, { result: 'queued' }],
      [{ quiet: 90 }, wake({ quiet: 200 }, { ask: 'r1' }), 'over'],
    ],
  },
  'S9-no-wake': {
    title: 'a task is over before the result, and no turn comes of it',
    kinds: ['canUseTool', 'hooks'],
    story: [asked({ ask: 'r1' }, agent('A'), { pause: 30 }, { end: 'A' }), 'over'],
    // Where a notification comes behind the result, a turn is to be expected for longer.
    expect: { boundMs: 3000 },
  },
  S11: {
    title: 'events of a monitor start turns, and so does its end',
    prompts: ['iterable'],
    dialects: hasEdges,
    story: [
      [asked({ launch: 'M', as: 'monitor' }), { quiet: 200 }, { news: 'M' }, wake({ ask: 'r1' })],
      [ended('M', { ask: 'r2' }), 'over'],
    ],
  },
  'S11-workflow': {
    title: 'a workflow outlives the turn and asks',
    prompts: ['iterable'],
    dialects: ({ set }) => set !== undefined,
    story: [
      asked({ launch: 'W', as: 'workflow' }),
      [{ quiet: 200 }, { ask: 'r1' }, { end: 'W' }, wake({ ask: 'r2' }), 'over'],
    ],
  },
  'S11-persistent': {
    title: 'a monitor never settles: bounded by the ceiling',
    ...oneWay,
    dialects: hasEdges,
    ...endless,
    story: [asked({ launch: 'M', as: 'monitor' }), 'over'],
  },
  S12: {
    title: 'a shell never ends: bounded by the ceiling, with one warning',
    kinds: ['canUseTool', 'hooks'],
    ...endless,
    story: [asked(shell('B')), 'over'],
  },
  S13: {
    title: 'the end of a shell wakes the model, which asks',
    story: [asked(shell('B')), ended('B', { ask: 'r1' }), 'over'],
  },
  'S13-stopped': {
    title: 'the host stops a shell after the result',
    ...oneWay,
    actions: [{ at: 'result#1', afterMs: 150, does: 'stopTask', task: 'B' }],
    story: [
      asked(shell('B')),
      { expect: 'control_request', subtype: 'stop_task' },
      [{ end: 'B', status: 'stopped' }, { note: 'over' }, 'idle'],
    ],
  },
  S15: {
    title: 'a teammate never settles: bounded by the ceiling',
    ...oneWay,
    // A result that is kept back for it never comes.
    dialects: ({ keepsResult }) => !keepsResult,
    // Where the session is not idle before it settles, stock has a ceiling of its own.
    env: { ...endless.env, CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '600' },
    expect: endless.expect,
    story: [asked({ launch: 'T', as: 'teammate' }), 'over'],
  },
  S16: {
    title: 'a wake-up is scheduled, which no frame tells: ends as a plain run',
    ...oneWay,
    story: [asked({ ask: 'r1' }), 'over'],
    expect: { asStock: true },
  },
  'S16-held': {
    title: 'a wake-up is scheduled, and the host holds input for it with holdInput()',
    kinds: ['canUseTool', 'mcp'],
    prompts: ['iterable'],
    actions: [
      { at: 'init#1', does: 'holdInput' },
      { at: 'result#2', does: 'release' },
    ],
    story: [asked({ pause: 60 }), { quiet: 400 }, turn({ ask: 'r1' }), 'over'],
  },
};
