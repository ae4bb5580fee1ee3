import type { Scenario } from './scenario.ts';

export const scheduledWakeup = {
  id: 'S16',
  title: 'a wake-up is scheduled, which no frame tells: ends as a plain run',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  story: [{ expect: 'user' }, 'turn', { ask: 'r1' }, { result: 'idle' }, 'over'],
  expect: { asStock: true },
} satisfies Scenario;
