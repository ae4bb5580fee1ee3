import type { Scenario } from './scenario.ts';

export const localCommand = {
  id: 'S6-command',
  title: 'a local command is followed by a message',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  says: [{ say: '/compact' }, { until: 'result#1' }, { say: 'Go.' }],
  story: [
    { expect: 'user' },
    'turn',
    { result: 'idle', turns: 0 },
    { expect: 'user' },
    { quiet: 200 },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
} satisfies Scenario;
