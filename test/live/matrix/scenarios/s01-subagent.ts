import { isResult } from '../../lanes.ts';
import { launch, once, say, type Step, together } from '../../messages-api.ts';
import { GO, type Scenario, SETTLED } from '../scenario.ts';

/** Subagents cannot launch others on every release. */
const nested: Step = ({ tools }) =>
  tools.includes('Agent') || tools.includes('Task') ? launch('C', { background: true }) : say('no launcher');

export const subagent: Scenario = {
  id: 'S1',
  title: 'a subagent outlives the turn and asks, and so does the turn that its end starts',
  kinds: ['canUseTool', 'mcp'],
  asks: ['agent', 'wake'],
  situation: (ask) => ({
    script: {
      main: [launch('A', { background: true }), say('launched'), ask('wake'), say('end')],
      A: [once(isResult, ask('agent'), SETTLED), say('A is done')],
    },
  }),
};

export const several: Scenario = {
  id: 'S1 several',
  title: 'two subagents end out of order',
  kinds: ['canUseTool'],
  asks: ['first', 'second', 'wake'],
  situation: (ask) => ({
    script: {
      main: [
        together(launch('A', { background: true }), launch('B', { background: true })),
        say('launched'),
        ask('wake'),
        say('B is over'),
        say('A is over'),
      ],
      A: [once(isResult, ask('second'), { settle: 1200, atMost: 1500 }), say('A is done')],
      B: [once(isResult, ask('first'), SETTLED), say('B is done')],
    },
  }),
};

export const nestedAgent: Scenario = {
  id: 'S1 nested',
  title: 'a subagent starts another one',
  kinds: ['canUseTool'],
  asks: ['wake'],
  perhaps: ['nested'],
  situation: (ask) => ({
    script: {
      main: [
        launch('A', { background: true }),
        say('launched'),
        ask('wake'),
        say('A is over'),
        say('C is over'),
      ],
      A: [nested, say('A is done')],
      C: [once(isResult, ask('nested'), SETTLED), say('C is done')],
    },
  }),
};

export const stringPrompt: Scenario = {
  ...subagent,
  id: 'S2',
  title: 'as S1, with a string prompt',
  kinds: ['canUseTool', 'mcp'],
  situation: (ask) => ({ ...subagent.situation(ask), prompt: GO }),
};

export const hooksOnly: Scenario = {
  ...subagent,
  id: 'S3',
  title: 'as S1, with hooks only: their denials must count',
  kinds: ['hooks'],
};
