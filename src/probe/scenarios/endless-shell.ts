import type { Scenario } from './scenario.ts';

export const endlessShell = {
  id: 'S12',
  title: 'a shell never ends: bounded by the ceiling, with one warning',
  kinds: ['canUseTool', 'hooks'],
  env: { HOLDOPEN_CEILING_MS: '600' },
  story: [{ expect: 'user' }, 'turn', { launch: 'B', as: 'shell' }, { result: 'idle' }, 'over'],
  expect: { ceilingMs: 600 },
} satisfies Scenario;
