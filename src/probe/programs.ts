import { fileURLToPath } from 'node:url';

/** The files that `node` runs for a probe, without a loader. */
export interface Programs {
  host: string;
  standIn: string;
}

/** As built. Sources are run by tests only, which build these for themselves. */
export const builtPrograms = (): Programs => ({ host: built('host'), standIn: built('stand-in') });

const built = (name: string): string => fileURLToPath(new URL(`../probe/${name}.js`, import.meta.url));
