import { mcpToolCall } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

export const mcpBeforeInit = {
  id: 'S28',
  title: 'an in-process server is called before initialize is answered',
  kinds: ['mcp'],
  initialize: 'step',
  story: [
    mcpToolCall('r0', 'desk', 'look'),
    { answer: 'initialize' },
    { expect: 'user' },
    'turn',
    { ask: 'r1' },
    { result: 'idle' },
    'over',
  ],
  expect: { asStock: true },
} satisfies Scenario;
