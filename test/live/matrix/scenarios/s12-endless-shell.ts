import { say, shell } from '../../messages-api.ts';
import { isResult } from '../../lanes.ts';
import type { Scenario } from '../scenario.ts';

const CEILING_MS = 4000;
const STOCK_MS = 12_000;

/** A ceiling that long after the last frame, one warning, then whatever stock does on the end of input. */
export const endlessShell: Scenario = {
  id: 'S12',
  title: `a shell that never ends, with HOLDOPEN_CEILING_MS=${CEILING_MS}`,
  kinds: ['canUseTool'],
  situation: () => ({
    script: { main: [shell('while true; do sleep 1; done', { background: true }), say('launched')] },
    env: { HOLDOPEN_CEILING_MS: String(CEILING_MS) },
    // Some CLIs then go on for ever, some stop the shell after 5 s.
    actions: [{ on: { event: 'stdinEnd' }, do: 'kill', afterMs: STOCK_MS }],
  }),
  check: ({ timeline, stdinEndedAt }) => {
    const last = timeline.findLast(isResult)?.t ?? 0;
    const held = (stdinEndedAt ?? Infinity) - last;
    const warnings = timeline.filter(({ code }) => code === 'HOLDOPEN_CEILING').length;
    return [
      ...(held > CEILING_MS - 100 && held < CEILING_MS + 1000
        ? []
        : [`input ended ${held} ms after the result`]),
      ...(warnings === 1 ? [] : [`${warnings} warnings instead of one`]),
    ];
  },
};
