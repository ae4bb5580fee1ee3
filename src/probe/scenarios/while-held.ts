import type { Event } from '../story.ts';
import { status } from '../timeline.ts';
import type { Scenario } from './scenario.ts';

/** A shell outlives the turn, and input is held for it: in a process that must be able to end. */
export const heldForShell = {
  kinds: ['canUseTool'],
  prompts: ['iterable'],
  alone: true,
} satisfies Partial<Scenario>;

/** How that comes about. */
export const untilHeld = [
  { expect: 'user' },
  'turn',
  { launch: 'B', as: 'shell' },
  { result: 'idle' },
  { pause: 100 },
] satisfies Event[];

/** A consumer that leaves meanwhile: at `status#1`. */
export const whileHeld = {
  ...heldForShell,
  story: [...untilHeld, { send: status() }, { expectStdinEnd: true, withinMs: 5000 }],
} satisfies Partial<Scenario>;
