import type { Scenario } from './scenario.ts';

export const teammate = {
  id: 'S15',
  title: 'a teammate never settles: bounded by the ceiling',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  // A result that is kept back for it never comes.
  dialects: ({ keepsResult }) => !keepsResult,
  // Where the session is not idle before it settles, stock has a ceiling of its own.
  env: { HOLDOPEN_CEILING_MS: '600', CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: '600' },
  story: [{ expect: 'user' }, 'turn', { launch: 'T', as: 'teammate' }, { result: 'idle' }, 'over'],
  expect: { ceilingMs: 600 },
} satisfies Scenario;
