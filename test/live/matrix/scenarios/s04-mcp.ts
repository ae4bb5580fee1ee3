import { isResult } from '../../lanes.ts';
import { launch, once, say } from '../../messages-api.ts';
import { type Scenario, SETTLED } from '../scenario.ts';

export const mcpContinuation: Scenario = {
  id: 'S4',
  title: 'an in-process MCP tool in the turn that a task started: nothing runs any more when it is called',
  kinds: ['mcp'],
  asks: ['wake'],
  situation: (ask) => ({
    script: {
      main: [launch('A', { background: true }), say('launched'), ask('wake'), say('end')],
      A: [once(isResult, say('A is done'), SETTLED)],
    },
  }),
};
