import { bundleOf, type Gate } from '../bundles.ts';
import { drive } from '../drive.ts';
import { conversations } from '../messages-api.ts';
import { outcomeOf, type Played } from './outcome.ts';
import { type Kind, planOf, type Scenario } from './scenario.ts';

/** One run of a scenario on a release. */
export async function play(version: string, gate: Gate, scenario: Scenario, kind: Kind): Promise<Played> {
  const { script, ...plan } = planOf(scenario, kind);
  const run = await drive({ ...plan, sdk: await bundleOf(version, gate), script: conversations(script) });
  return { run, outcome: outcomeOf(scenario, kind, run) };
}
