import { say } from '../../messages-api.ts';
import { result, type Scenario, shellUntil } from '../scenario.ts';

export const followUps: Scenario = {
  id: 'S19',
  title: 'two calls of streamInput() while a shell runs, then its end',
  kinds: ['canUseTool', 'hooks'],
  asks: ['second', 'third', 'wake'],
  situation: (ask) => ({
    script: {
      main: [
        shellUntil('over'),
        say('launched'),
        ask('second'),
        say('two'),
        ask('third'),
        say('three'),
        ask('wake'),
        say('end'),
      ],
    },
    actions: [
      { on: result(), do: 'streamInput', messages: [{ say: '[[main]] two' }], afterMs: 250 },
      { on: result(2), do: 'streamInput', messages: [{ say: '[[main]] three' }], afterMs: 250 },
      { on: result(3), do: 'signal', file: 'over', afterMs: 250 },
      // Stock gets to no second result.
      { on: result(), do: 'signal', file: 'over', afterMs: 12_000 },
    ],
  }),
};
