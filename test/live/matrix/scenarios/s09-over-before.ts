import type { Entry } from '../../drive.ts';
import { launch, once, say, shell } from '../../messages-api.ts';
import type { Scenario } from '../scenario.ts';

const agentAnswered = ({ event, conversation }: Entry): boolean => event === 'model' && conversation === 'A';

export const lastCall: Scenario = {
  id: 'S9',
  title: 'a subagent ends during the last model call of the turn: its news starts the next turn',
  kinds: ['canUseTool', 'hooks', 'mcp'],
  asks: ['wake'],
  situation: (ask) => ({
    script: {
      main: [
        launch('A', { background: true }),
        once(agentAnswered, say('launched'), { settle: 800 }),
        ask('wake'),
        say('end'),
      ],
      A: [say('A is done')],
    },
  }),
};

export const takenUp: Scenario = {
  id: 'S9 taken up',
  title: 'a subagent ends early in the turn: its news is taken up there, and perhaps no other turn comes',
  kinds: ['canUseTool'],
  perhaps: ['wake'],
  situation: (ask) => ({
    script: {
      main: [launch('A', { background: true }), shell('sleep 1.5'), say('launched'), ask('wake'), say('end')],
      A: [say('A is done')],
    },
  }),
};
