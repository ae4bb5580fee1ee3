import { hasEdges } from '../dialects.ts';
import { type Table, asked, ended, oneWay, shell, turn } from './scenario.ts';

/** More than one message: in one prompt, or through `streamInput()`. */
export const messages: Table = {
  S5: {
    title: 'a second message is written after the first result',
    prompts: ['iterable'],
    says: [{ say: 'One.' }, { until: 'result#1' }, { say: 'Two.' }],
    story: [asked(), { expect: 'user' }, { quiet: 200 }, turn({ ask: 'r1' }), 'over'],
  },
  'S5-two': {
    title: 'two messages are written at once and get a turn each',
    prompts: ['iterable'],
    says: [{ say: 'One.' }, { say: 'Two.' }],
    story: [
      [{ expect: 'user', count: 2 }, 'turn', { result: 'queued' }],
      [{ quiet: 60 }, turn({ ask: 'r1' }), 'over'],
    ],
  },
  'S5-folded': {
    title: 'two messages are folded into one turn',
    ...oneWay,
    says: [{ say: 'One.' }, { until: 'assistant#1' }, { say: 'Two.' }],
    story: [
      [{ expect: 'user' }, 'turn', { expect: 'user' }, { ask: 'r1' }, { result: 'idle', turns: 2 }],
      'over',
    ],
    // Nothing tells that no result of its own will come.
    expect: { boundMs: 1000 },
  },
  S6: {
    title: 'a message without a query gives a result without a turn',
    prompts: ['iterable'],
    says: [{ say: 'Context.', fields: { shouldQuery: false } }, { say: 'Go.' }],
    // Older ones ignore the field.
    dialects: hasEdges,
    story: [
      [{ expect: 'user', count: 2 }, 'turn', { result: 'queued', turns: 0 }],
      [{ quiet: 60 }, turn({ ask: 'r1' }), 'over'],
    ],
  },
  'S6-command': {
    title: 'a local command is followed by a message',
    ...oneWay,
    says: [{ say: '/compact' }, { until: 'result#1' }, { say: 'Go.' }],
    story: [
      [{ expect: 'user' }, 'turn', { result: 'idle', turns: 0 }],
      [{ expect: 'user' }, { quiet: 200 }, turn({ ask: 'r1' }), 'over'],
    ],
  },
  S19: {
    title: 'follow-ups come through streamInput() while a shell runs',
    ...oneWay,
    actions: [
      { at: 'result#1', does: 'streamInput', prompt: [{ say: 'Two.' }] },
      { at: 'result#2', does: 'streamInput', prompt: [{ say: 'Three.' }] },
    ],
    story: [asked(shell('B')), asked({ ask: 'r1' }), asked({ ask: 'r2' }), ended('B', { ask: 'r3' }), 'over'],
  },
  'S19-overlap': {
    title: 'streamInput() is called while the prompt goes on',
    ...oneWay,
    says: [{ say: 'One.' }, { until: 'result#2' }, { say: 'Three.' }],
    actions: [{ at: 'result#1', does: 'streamInput', prompt: [{ say: 'Two.' }] }],
    story: [
      asked(),
      [{ expect: 'user' }, { quiet: 200 }, turn({ ask: 'r1' })],
      [{ expect: 'user' }, { quiet: 200 }, turn({ ask: 'r2' }), 'over'],
    ],
  },
};
