import type { Scenario } from './scenario.ts';

export const persistentMonitor = {
  id: 'S11-persistent',
  title: 'a monitor never settles: bounded by the ceiling',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  dialects: ({ started }) => started !== 'none' && started !== 'flushed',
  env: { HOLDOPEN_CEILING_MS: '600' },
  story: [{ expect: 'user' }, 'turn', { launch: 'M', as: 'monitor' }, { result: 'idle' }, 'over'],
  expect: { ceilingMs: 600 },
} satisfies Scenario;
