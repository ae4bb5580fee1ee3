import type { Scenario } from './scenario.ts';

export const heldWakeup = {
  id: 'S16-held',
  title: 'a wake-up is scheduled, and the host holds input for it with holdInput()',
  kinds: ['canUseTool', 'mcp'],
  prompts: ['iterable'],
  actions: [
    { at: 'init#1', does: 'holdInput' },
    { at: 'result#2', does: 'release' },
  ],
  story: [
    { expect: 'user' },
    'turn',
    { pause: 60 },
    { result: 'idle' },
    { quiet: 400 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
