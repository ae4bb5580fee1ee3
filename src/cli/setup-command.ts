/** What the scripts are to run. */
export const patchCommand = 'holdopen patch';

/** Our command where a shell would run it, with any options, also through npx and the like. */
const ours = /(?:^|[\s;&|(])holdopen\s+patch(?=$|[\s;&|)])/;

/** Whether a script runs the patch already. */
export function runsPatch(script: string | undefined): boolean {
  return script !== undefined && ours.test(script);
}

/** A script with the patch at its end, so that what was there still comes first. */
export function withPatch(script: string | undefined): string {
  const before = script?.trim() ?? '';
  if (before === '') return patchCommand;
  if (runsPatch(before)) return before;
  // Behind a comment nothing runs.
  if (/(?:^|\s)#/.test(before)) return `${patchCommand} && ${before}`;
  return /(?:;|[^&]&)$/.test(before) ? `${before} ${patchCommand}` : `${before} && ${patchCommand}`;
}

/**
 * A script without the patch.
 * @returns undefined where nothing is left
 */
export function withoutPatch(script: string): string | undefined {
  if (!runsPatch(script)) return script;
  const isOurs = (part: string): boolean =>
    /^(?:(?:npx|bunx|yarn|pnpm exec)\s+)?holdopen\s+patch(?:\s+[\w./=-]+)*$/.test(part.trim());
  const parts = script.split('&&');
  const rest = parts.filter((part) => !isOurs(part));
  const text = rest.length === parts.length ? script : rest.join('&&').trim();
  const bare = text.replace(/([;&])\s+holdopen\s+patch$/, '$1');
  return bare === '' ? undefined : bare;
}
