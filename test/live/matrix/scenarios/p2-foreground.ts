import { launch, say, shell, type Step } from '../../messages-api.ts';
import type { Scenario } from '../scenario.ts';

const inTurn = (id: string, title: string, main: Step[], A: Step[] = []): Scenario => ({
  id,
  title,
  kinds: ['canUseTool'],
  asStock: true,
  situation: () => ({ script: { main, A } }),
});

export const foreground: Scenario[] = [
  inTurn(
    'P2 subagent',
    'a subagent in the foreground',
    [launch('A', { background: false }), say('end')],
    [shell('sleep 0.5; echo a'), say('A is done')],
  ),
  inTurn('P2 shell', 'a short shell in the foreground', [shell('echo a'), say('end')]),
  inTurn('P2 long shell', 'a shell of 4 s in the foreground', [
    shell('for i in 1 2 3 4; do sleep 1; done'),
    say('end'),
  ]),
];
