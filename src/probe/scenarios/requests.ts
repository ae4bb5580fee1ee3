import { hookCallback, mcpToolCall } from '../timeline.ts';
import { type Table, asked, shell, wake } from './scenario.ts';

/** Requests that are answered late or never, or come early or late. */
export const requests: Table = {
  S17: {
    title: 'the host answers after the result',
    kinds: ['canUseTool', 'hooks'],
    reply: { does: 'deny', afterMs: 700 },
    story: [asked({ ask: 'r1', open: true }), { awaitResponse: 'r1' }, { note: 'over' }],
  },
  'S17-cancelled': {
    title: 'the CLI takes a request back that the host never answers',
    kinds: ['canUseTool', 'hooks'],
    prompts: ['iterable'],
    reply: { does: 'never' },
    story: [asked({ ask: 'r1', open: true }), { quiet: 300 }, { cancel: 'r1' }, { note: 'over' }],
    expect: { mayLose: ['r1'] },
  },
  S22: {
    title: 'a hook at shutdown comes after the end of input, and nothing waits for it',
    kinds: ['hooks'],
    story: [
      [asked({ ask: 'r1' }), 'over'],
      [{ expectStdinEnd: true, withinMs: 8000 }, hookCallback('h1', 'SessionEnd')],
    ],
    expect: { asStock: true, mayLose: ['h1'] },
  },
  S27: {
    title: 'a callback takes longer than the ceiling, in the first turn and in a later one',
    kinds: ['canUseTool', 'hooks'],
    prompts: ['iterable'],
    reply: { does: 'deny', afterMs: 900 },
    env: { HOLDOPEN_CEILING_MS: '500' },
    story: [asked({ ask: 'r1' }, shell('B')), { quiet: 150 }, { end: 'B' }, wake({ ask: 'r2' }), 'over'],
  },
  S28: {
    title: 'an in-process server is called before initialize is answered',
    kinds: ['mcp'],
    initialize: 'step',
    story: [mcpToolCall('r0', 'desk', 'look'), { answer: 'initialize' }, asked({ ask: 'r1' }), 'over'],
    expect: { asStock: true },
  },
};
