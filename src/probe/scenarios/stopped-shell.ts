import type { Scenario } from './scenario.ts';

export const stoppedShell = {
  id: 'S13-stopped',
  title: 'the host stops a shell after the result',
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  actions: [{ at: 'result#1', afterMs: 150, does: 'stopTask', task: 'B' }],
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { expect: 'control_request', subtype: 'stop_task' },
    { end: 'B', status: 'stopped' },
    { note: 'over' },
    'idle',
  ],
} satisfies Scenario;
