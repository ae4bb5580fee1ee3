import { status } from '../timeline.ts';
import { type Expectation, type Phase, type Row, type Table, asked, oneWay, shell } from './scenario.ts';

/** A shell outlives the turn, and input is held for it: in a process that must be able to end. */
const whileHeld = { ...oneWay, alone: true } satisfies Partial<Row>;
const untilHeld: Phase[] = [asked(shell('B')), { pause: 100 }];

/** Who leaves is the consumer. */
const consumer = (
  how: string,
  does: 'break' | 'return' | 'close' | 'abort',
  ...ended: NonNullable<Expectation['ended']>
): Row => ({
  title: `the consumer ${how} while input is held`,
  ...whileHeld,
  actions: [{ at: 'status#1', does }],
  story: [untilHeld, { send: status() }, { expectStdinEnd: true, withinMs: 5000 }],
  expect: { ended, leaves: true },
});

export const leaving: Table = {
  'S20-break': consumer('breaks out of its loop', 'break', 'left'),
  'S20-return': consumer('calls return()', 'return', 'done'),
  'S20-close': consumer('calls close()', 'close', 'done', 'threw'),
  'S20-abort': consumer('aborts', 'abort', 'done', 'threw'),
  S26: {
    title: 'the CLI dies while input is held',
    ...whileHeld,
    actions: [{ at: 'result#1', afterMs: 300, does: 'interrupt' }],
    story: [untilHeld, { exit: 1 }],
    expect: { ended: ['done', 'threw'], leaves: true },
  },
  'S26-stdout': {
    title: "the CLI's output ends while input is held",
    ...whileHeld,
    story: [untilHeld, { closeStdout: true }],
    expect: { ended: ['done', 'threw'], leaves: true },
  },
};
