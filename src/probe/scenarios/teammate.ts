import type { Scenario } from './scenario.ts';

export const teammate = {
  id: 'S15',
  title: 'a teammate never settles: bounded by the ceiling',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  // A result that is kept back for it never comes.
  dialects: ({ keepsResult }) => !keepsResult,
  env: { HOLDOPEN_CEILING_MS: '600' },
  story: [{ expect: 'user' }, 'turn', { launch: 'T', as: 'teammate' }, { result: 'idle' }, 'over'],
  expect: { ceilingMs: 600 },
} satisfies Scenario;
