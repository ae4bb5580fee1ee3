import { say } from '../../messages-api.ts';
import { GO, type Scenario } from '../scenario.ts';

export const contextOnly: Scenario = {
  id: 'S6',
  title: 'a context message that starts no model turn, then a real one',
  kinds: ['canUseTool'],
  asks: ['real'],
  situation: (ask) => ({
    prompt: [{ say: '[[main]] context', shouldQuery: false }, { say: GO }],
    script: { main: [ask('real'), say('end')] },
  }),
};

export const localCommand: Scenario = {
  id: 'S6 command',
  title: 'a local command, then a real message',
  kinds: ['canUseTool'],
  asks: ['real'],
  situation: (ask) => ({
    prompt: [{ say: '/cost' }, { say: GO }],
    script: { main: [ask('real'), say('end')] },
  }),
};
