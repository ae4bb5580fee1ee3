import { say } from '../../messages-api.ts';
import { GO, type Scenario } from '../scenario.ts';

export const plain: Scenario = {
  id: 'P1',
  title: 'a plain turn',
  kinds: ['canUseTool', 'hooks', 'mcp'],
  asStock: true,
  situation: () => ({ script: { main: [say('hi')] } }),
};

export const plainString: Scenario = {
  ...plain,
  id: 'P1 string',
  title: 'a plain turn, with a string prompt',
  kinds: ['canUseTool'],
  situation: () => ({ script: { main: [say('hi')] }, prompt: GO }),
};

export const asking: Scenario = {
  ...plain,
  id: 'P1 asking',
  title: 'a turn that asks',
  kinds: ['canUseTool'],
  asks: ['turn'],
  situation: (ask) => ({ script: { main: [ask('turn'), say('end')] } }),
};
