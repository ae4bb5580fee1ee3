/**
 * The host of driven runs, in a process of its own. Argument: the path of a plan, JSON, for a process that leaves when
 * its query lets it; or `--serve`, for one that takes paths of plans from its parent, one after the other.
 */
import { HostRun, textOf } from './host-run.ts';
import { SERVE } from './script.ts';

let run: HostRun | undefined;

process.on('warning', (warning) => {
  const { code } = warning as Error & { code?: string };
  run?.record({ event: 'warning', code: code ?? warning.name, message: warning.message });
});
process.on('uncaughtException', (failure) => run?.record({ event: 'uncaught', error: textOf(failure) }));
process.on('unhandledRejection', (failure) => run?.record({ event: 'uncaught', error: textOf(failure) }));

async function start(plan: string): Promise<void> {
  run = new HostRun(plan);
  const before = { ...process.env };
  Object.assign(process.env, run.plan.env);
  try {
    await run.start();
  } catch (failure) {
    // Not even the import worked; the missing entry `started` says so.
    run.record({ event: 'uncaught', error: textOf(failure) });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  process.send?.('ended');
}

const [, , argument = ''] = process.argv;
if (argument === SERVE) {
  process.on('message', (plan) => void start(String(plan)));
  process.on('disconnect', () => process.exit());
} else await start(argument);
