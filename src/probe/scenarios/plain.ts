import { type Table, asked, ended, oneWay, shell } from './scenario.ts';

/** Runs that end as in stock, and turns that fail. */
export const plain: Table = {
  P1: {
    title: 'a plain turn with a request ends as in stock',
    story: [asked({ ask: 'r1' }), 'over'],
    expect: { asStock: true },
  },
  P2: {
    title: 'a subagent and a shell in the foreground end as in stock',
    prompts: ['iterable'],
    story: [asked({ foreground: 'A', as: 'agent', ask: 'r1' }, { foreground: 'B', as: 'shell' }), 'over'],
    expect: { asStock: true },
  },
  P3: {
    title: 'without callbacks input ends as in stock, whatever is outstanding',
    kinds: ['none'],
    story: [asked(shell('B')), ended('B')],
    expect: { asStock: true },
  },
  P4: {
    title: 'a turn that ends with an error ends as in stock',
    kinds: ['canUseTool'],
    story: [{ expect: 'user' }, 'turn', { ask: 'r1' }, { result: 'error' }, 'over'],
    expect: { asStock: true, ended: ['done', 'threw'] },
  },
  'P4-later': {
    title: 'the turn after a task ends with an error',
    ...oneWay,
    story: [
      asked(shell('B')),
      [{ quiet: 200 }, { end: 'B', status: 'failed' }],
      ['wake', { ask: 'r1' }, { result: 'error' }, 'over'],
    ],
    expect: { ended: ['done', 'threw'] },
  },
};
