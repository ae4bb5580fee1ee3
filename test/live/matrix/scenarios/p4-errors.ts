import { fail, say, shell } from '../../messages-api.ts';
import type { Scenario } from '../scenario.ts';

export const modelError: Scenario = {
  id: 'P4',
  title: 'the model refuses the request',
  kinds: ['canUseTool'],
  asStock: true,
  situation: () => ({
    script: { main: [fail(400, 'invalid_request_error'), fail(400, 'invalid_request_error')] },
  }),
};

export const maxTurns: Scenario = {
  id: 'P4 turns',
  title: 'the turn ends at maxTurns',
  kinds: ['canUseTool'],
  asStock: true,
  situation: () => ({ script: { main: [shell('echo a'), say('end')] }, options: { maxTurns: 1 } }),
};
