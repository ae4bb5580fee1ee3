import { isResult } from '../../lanes.ts';
import { launch, once, say, shell } from '../../messages-api.ts';
import { result, type Scenario, SETTLED, shellUntil } from '../scenario.ts';

export const agents: Scenario = {
  id: 'S8',
  title: 'the turn that a subagent started starts another subagent',
  kinds: ['canUseTool', 'hooks'],
  asks: ['agent', 'wake'],
  situation: (ask) => ({
    script: {
      main: [
        launch('A', { background: true }),
        say('launched'),
        launch('B', { background: true }),
        say('another one'),
        ask('wake'),
        say('end'),
      ],
      A: [once(isResult, say('A is done'), SETTLED)],
      B: [once(() => false, ask('agent'), { atMost: 1000 }), say('B is done')],
    },
  }),
};

export const shells: Scenario = {
  id: 'S8 shells',
  title: 'the turn that a shell started starts another shell',
  kinds: ['canUseTool'],
  asks: ['wake'],
  situation: (ask) => ({
    script: {
      main: [
        shellUntil('over'),
        say('launched'),
        shell('sleep 1', { background: true }),
        say('another one'),
        ask('wake'),
        say('end'),
      ],
    },
    actions: [{ on: result(), do: 'signal', file: 'over', afterMs: 250 }],
  }),
};
