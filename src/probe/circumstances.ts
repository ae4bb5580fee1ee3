import type { Family } from '../types.ts';
import type { Dialect } from './dialects.ts';
import type { DriveOptions } from './drive.ts';
import {
  type Kind,
  type PromptKind,
  type Scenario,
  kinds as allKinds,
  promptKinds,
} from './scenarios/scenario.ts';
import type { HostScript, Reply } from './script.ts';
import { tell } from './tell.ts';

/** One scenario as it is played. */
export interface Circumstances {
  scenario: Scenario;
  kind: Kind;
  prompt: PromptKind;
  dialect: Dialect;
  /**
   * Who asks the CLI for session state: nobody but the SDK, or the gate in it; also the caller, who then sees it; or the
   * CLI does not report it, whoever asks.
   */
  state: 'unasked' | 'caller' | 'silent';
}

/**
 * Every scenario with every kind of callback and prompt that it makes sense with, in each dialect; with the first of
 * them in every other state of the environment. Whoever leaves does so whatever the state is.
 */
export const allCircumstances = (
  scenarios: readonly Scenario[],
  dialects: readonly Dialect[],
  kinds: readonly Kind[] = allKinds,
  prompts: readonly PromptKind[] = promptKinds,
): Circumstances[] =>
  dialects.flatMap((dialect) =>
    scenarios
      .filter((scenario) => scenario.dialects?.(dialect) ?? true)
      .flatMap((scenario) => {
        const its = scenario.kinds ?? (['canUseTool', 'hooks', 'mcp'] as const);
        const ways = scenario.prompts ?? promptKinds;
        const pairs = its
          .filter((kind) => kinds.includes(kind))
          .flatMap((kind) => ways.map((prompt) => ({ kind, prompt })))
          .filter(({ prompt }) => prompts.includes(prompt))
          .map((pair) => ({ scenario, dialect, ...pair, state: 'unasked' as const }));
        const states =
          dialect.idleWaits === undefined || scenario.alone ? [] : (['caller', 'silent'] as const);
        return [
          ...pairs,
          ...pairs.slice(0, 1).flatMap((pair) => states.map((state) => ({ ...pair, state }))),
        ];
      }),
  );

/** Whether the patched bundle is told when all is over. */
export const tellsState = ({ dialect, state }: Circumstances): boolean =>
  dialect.idleWaits !== undefined && state !== 'silent';

/** Where silence ends input: how long it must last, in ms. A string's begins with the run, and outlasts its start. */
const SILENCE_MS = { iterable: 250, string: 1500 };
/** How long stock may take until it ends input. */
const STOCK_MS = 2500;

/** What drives one bundle through the circumstances, but for the bundle. */
export function toDrive(
  circumstances: Circumstances,
  column: 'stock' | 'patched',
  family: Family,
): Omit<DriveOptions, 'bundle'> {
  const { scenario, kind, prompt, dialect, state } = circumstances;
  const silence = family === 'inactivity' ? SILENCE_MS[prompt] : 0;
  const steps = tell(scenario.story, {
    dialect,
    kind,
    stockMs: column === 'stock' ? STOCK_MS + silence : undefined,
    silenceMs: silence,
  });
  const says = [
    ...(scenario.says ?? [{ say: 'Begin.' }]),
    // Its silence begins where the prompt ends: not before the CLI has started.
    ...(silence > 0 && scenario.says === undefined ? [{ until: 'result#1' }] : []),
  ];
  return {
    timeline: {
      steps,
      sessionState: tellsState(circumstances) ? 'asked' : 'never',
      ...(scenario.initialize && { initialize: scenario.initialize }),
    },
    prompt: prompt === 'string' ? 'Begin.' : says,
    host: { ...hosts(scenario.reply)[kind], ...(scenario.actions && { actions: [...scenario.actions] }) },
    env: { ...scenario.env, ...(silence > 0 && { CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: String(silence) }) },
    cliEnv: state === 'caller' ? { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } : {},
    ...(scenario.alone && { lingerMs: 7000 }),
  };
}

/** Who answers the requests of a kind. */
const hosts = (reply: Reply | undefined): Record<Kind, HostScript> => ({
  canUseTool: { canUseTool: reply ?? { does: 'allow' } },
  hooks: { hooks: { PreToolUse: reply ?? { does: 'deny' }, SessionEnd: { does: 'allow' } } },
  mcp: { mcpServers: ['desk'] },
  none: {},
});
