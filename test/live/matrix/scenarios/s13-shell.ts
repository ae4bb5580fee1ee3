import { say } from '../../messages-api.ts';
import { GO, result, type Scenario, shellUntil } from '../scenario.ts';

export const shellWakes: Scenario = {
  id: 'S13',
  title: 'a shell ends after the turn and its news starts another one',
  kinds: ['canUseTool', 'hooks', 'mcp'],
  asks: ['wake'],
  situation: (ask) => ({
    script: { main: [shellUntil('over'), say('launched'), ask('wake'), say('end')] },
    actions: [{ on: result(), do: 'signal', file: 'over', afterMs: 250 }],
  }),
};

export const warmed: Scenario = {
  ...shellWakes,
  id: 'S13 warmed',
  title: 'as S13, with a string prompt for a query that startup() made',
  kinds: ['canUseTool', 'hooks'],
  // startup() came with 0.2.89.
  lacking: ['0.2.50'],
  situation: (ask) => ({ ...shellWakes.situation(ask), prompt: GO, warmed: true }),
};

export const stringPrompt: Scenario = {
  ...shellWakes,
  id: 'S13 string',
  title: 'as S13, with a string prompt',
  kinds: ['canUseTool', 'hooks'],
  situation: (ask) => ({ ...shellWakes.situation(ask), prompt: GO }),
};
