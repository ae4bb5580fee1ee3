import type { Scenario } from './scenario.ts';

export const unanswered = {
  id: 'S17',
  title: 'the host answers after the result',
  kinds: ['canUseTool', 'hooks'],
  reply: { does: 'deny', afterMs: 700 },
  story: [
    { expect: 'user' },
    'turn',
    { ask: 'r1', open: true },
    { result: 'idle' },
    { awaitResponse: 'r1' },
    { note: 'over' },
  ],
} satisfies Scenario;
