/**
 * Where the program begins. `patch` runs in every install of every machine, mostly with nothing to do: in its plain form
 * it is carried out without what only the other commands need, the parser of the command line among it. It is built
 * as one CommonJS file, which Node starts sooner than a module and much sooner than thirty, and a second one with the
 * parser for where there is work.
 */
export { HoldopenError, systemCode } from '../errors.ts';
import { conclude, here } from './conclude.ts';
import { patch, plainPatch } from './patch.ts';

const plain = plainPatch(process.argv.slice(2));
if (plain) void conclude(() => patch({ ...plain, cwd: here() })).then((code) => (process.exitCode = code));
else void import('./main.ts');
