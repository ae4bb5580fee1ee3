import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

/** A consumer that leaves while input is held for a shell: at `status#1`, in a process that must be able to end. */
export const whileHeld = {
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
  story: [
    { expect: 'user' },
    'turn',
    { launch: 'B', as: 'shell' },
    { result: 'idle' },
    { pause: 100 },
    { send: status() },
    { expectStdinEnd: true, withinMs: 5000 },
  ],
} satisfies Partial<Scenario>;
