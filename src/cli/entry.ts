/**
 * Where the program begins. `patch` runs in every install of every machine, mostly with nothing to do: in its plain form
 * it is carried out without what only the other commands need, the parser of the command line among it.
 */
import { conclude } from './conclude.ts';
import { here } from './here.ts';
import { plainPatch } from './plain-patch.ts';

const plain = plainPatch(process.argv.slice(2));
if (plain) {
  process.exitCode = await conclude(async () => {
    const { patch } = await import('./patch.ts');
    return patch({ ...plain, cwd: here() });
  });
} else await import('./main.ts');
