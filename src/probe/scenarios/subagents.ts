import { hasEdges } from '../dialects.ts';
import { type Phase, type Table, agent, asked, ended, oneWay, shell, wake } from './scenario.ts';

const outlivesTurn: Phase[] = [
  asked(agent('A')),
  [{ quiet: 200 }, { ask: 'r1' }, { end: 'A' }, wake({ ask: 'r2' }), 'over'],
];

export const subagents: Table = {
  S1: { title: 'a subagent outlives the turn and asks', prompts: ['iterable'], story: outlivesTurn },
  'S1-several': {
    title: 'several subagents end out of order',
    prompts: ['iterable'],
    story: [
      [asked(agent('A'), agent('B'), agent('C')), ended('B')],
      [{ ask: 'r1' }, { end: 'C' }, wake()],
      [{ quiet: 200 }, { ask: 'r2' }, { end: 'A' }, wake({ ask: 'r3' }), 'over'],
    ],
  },
  'S1-nested': {
    title: 'a subagent starts a subagent, which ends first',
    prompts: ['iterable'],
    story: [
      asked(agent('A')),
      { launch: 'B', as: 'agent', by: 'A' },
      [{ quiet: 200 }, { ask: 'r1' }, { end: 'B', ownedBy: 'A' }],
      [{ pause: 40 }, { ask: 'r2' }, { end: 'A' }, wake({ ask: 'r3' }), 'over'],
    ],
  },
  'S1-orphan': {
    title: 'a subagent starts a subagent, which ends last',
    prompts: ['iterable'],
    // Before there were edges no frame says so; with a result kept back there is no end of input to test.
    dialects: (dialect) => hasEdges(dialect) && !dialect.keepsResult,
    story: [
      asked(agent('A')),
      [{ launch: 'B', as: 'agent', by: 'A' }, { end: 'A' }, wake()],
      [{ quiet: 200 }, { ask: 'r1' }, { end: 'B' }, wake({ ask: 'r2' }), 'over'],
    ],
  },
  'S1-resumed': {
    title: 'a subagent that has ended runs again when its shell is done',
    prompts: ['iterable'],
    dialects: ({ resumes }) => resumes === true,
    story: [
      asked(agent('A')),
      [{ launch: 'B', as: 'shell', by: 'A' }, { end: 'A' }, wake()],
      [{ quiet: 200 }, { end: 'B', ownedBy: 'A' }, 'idle', { pause: 22 }],
      [{ resume: 'A' }, { pause: 100 }, { ask: 'r1' }, { end: 'A' }, wake({ ask: 'r2' }), 'over'],
    ],
  },
  'S1-quiet': {
    title: 'a subagent that shows nothing for seconds asks at last',
    ...oneWay,
    story: [
      asked(agent('A')),
      [{ quiet: 3500 }, { ask: 'r1' }, { end: 'A' }],
      ['wake', { quiet: 1200 }, { ask: 'r2' }, { result: 'idle' }, 'over'],
    ],
  },
  S2: { title: 'a subagent outlives the turn of a string prompt', prompts: ['string'], story: outlivesTurn },
  S3: {
    title: 'a hook denies what a subagent, and the turn after a shell, want to do',
    kinds: ['hooks'],
    story: [
      [asked(agent('A'), shell('B')), { quiet: 200 }, { ask: 'r1' }, { end: 'A' }, wake()],
      [ended('B', { ask: 'r2' }), 'over'],
    ],
  },
};
