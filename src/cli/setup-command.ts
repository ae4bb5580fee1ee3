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
  if (script === undefined || script.trim() === '') return patchCommand;
  if (runsPatch(script)) return script;
  // Behind a comment nothing runs; and what comes in front must not have its failure taken for a success.
  if (/(?:^|\s)#/.test(script))
    return `${/\|\||[;\n]|(?:^|[^&])&(?:$|[^&])/.test(script) ? inFrontOfMany : inFront}${script}`;
  // `a || exit 0` would end the shell before it comes to what is behind.
  if (/(?:^|[\s;&|(])(?:exit|exec)(?=$|[\s;&|)])/.test(script)) return `(${script})${behind}`;
  return /(?:;|[^&]&)$/.test(script) ? `${script} ${patchCommand}` : `${script}${behind}`;
}

const behind = ` && ${patchCommand}`;
const inFront = `${patchCommand} && `;
const inFrontOfMany = `${patchCommand} || exit 1; `;

/** All that `withPatch` puts around a script. */
const frames: readonly [before: string, after: string][] = [
  ['(', `)${behind}`],
  ['', behind],
  ['', ` ${patchCommand}`],
  [inFront, ''],
  [inFrontOfMany, ''],
];

/**
 * A script without the patch.
 * @returns undefined where nothing is left
 */
export function withoutPatch(script: string): string | undefined {
  if (!runsPatch(script)) return script;
  // What `withPatch` wrote, to the byte.
  const written = frames
    .filter(([before, after]) => script.startsWith(before) && script.endsWith(after))
    .map(([before, after]) => script.slice(before.length, script.length - after.length))
    .find((inner) => !runsPatch(inner) && inner.trim() !== '' && withPatch(inner) === script);
  if (written !== undefined) return written;
  const isOurs = (part: string): boolean =>
    /^(?:(?:npx|bunx|yarn|pnpm exec)\s+)?holdopen\s+patch(?:\s+[\w./=-]+)*$/.test(part.trim());
  const parts = script.split('&&');
  const rest = parts.filter((part) => !isOurs(part));
  const text = rest.length === parts.length ? script : rest.join('&&').trim();
  const bare = text.replace(/([;&])\s+holdopen\s+patch$/, '$1');
  return bare === '' ? undefined : bare;
}
