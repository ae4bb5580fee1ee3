import { say } from '../../messages-api.ts';
import { GO, result, type Scenario } from '../scenario.ts';

const second = { say: '[[main]] and more' };

export const afterResult: Scenario = {
  id: 'S5',
  title: 'a second message after the first result',
  kinds: ['canUseTool', 'hooks', 'mcp'],
  asks: ['second'],
  situation: (ask) => ({
    prompt: [{ say: GO }, { until: result() }, second],
    script: { main: [say('one'), ask('second'), say('two')] },
  }),
};

export const together: Scenario = {
  id: 'S5 together',
  title: 'two messages written before the first result',
  kinds: ['canUseTool'],
  asks: ['second'],
  situation: (ask) => ({
    prompt: [{ say: GO }, second],
    script: { main: [say('one'), ask('second'), say('two')] },
  }),
};

export const folded: Scenario = {
  id: 'S5 folded',
  title: 'a second message during a tool call, which the CLI takes into the same turn',
  kinds: ['canUseTool'],
  asks: ['first'],
  situation: (ask) => ({
    prompt: [{ say: GO }, { until: { event: 'canUseTool' } }, second],
    script: { main: [ask('first'), say('one'), say('two')] },
  }),
};
