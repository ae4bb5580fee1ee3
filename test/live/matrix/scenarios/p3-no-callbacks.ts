import { say, shell } from '../../messages-api.ts';
import type { Scenario } from '../scenario.ts';

const none = { callbacks: {}, options: { allowedTools: ['Bash'] } };

export const noCallbacks: Scenario[] = [
  {
    id: 'P3',
    title: 'a turn without any callback',
    kinds: ['canUseTool'],
    asStock: true,
    situation: () => ({ ...none, script: { main: [shell('echo a'), say('end')] } }),
  },
  {
    id: 'P3 background',
    title: 'a shell outlives the turn of a query without any callback',
    kinds: ['canUseTool'],
    asStock: true,
    situation: () => ({
      ...none,
      script: { main: [shell('sleep 2', { background: true }), say('launched'), say('end')] },
    }),
  },
];
