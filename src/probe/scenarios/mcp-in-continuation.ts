import type { Scenario } from './scenario.ts';

export const mcpInContinuation = {
  id: 'S4',
  title: 'the turn after a task calls an in-process tool, with nothing running',
  kinds: ['mcp', 'canUseTool'],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'A', as: 'shell' },
    { result: 'idle' },
    { quiet: 200 },
    { end: 'A' },
    'wake',
    { quiet: 200 },
    { ask: 'r1' },
    { ask: 'r2' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
