import type { Roles } from '../locate/roles.ts';
import { normalForm } from '../locate/fingerprints.ts';

/** The normal forms of every method of a class, by name. Somebody else's code: to be shown on the spot, never kept. */
export type Forms = Map<string, string>;

/** The forms of a bound class. */
export function formsOf(roles: Roles): Forms {
  return new Map([...roles.methods].map(([name, method]) => [name, normalForm(method.value)]));
}

/**
 * What changed between two classes in normal form, a piece for each method, in the way of `diff -u`.
 * @param title names both sides
 */
export function formsDiff(title: string, before: Forms, after: Forms): string {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const pieces = names.flatMap((name) => {
    const [old, now] = [before.get(name) ?? '', after.get(name) ?? ''];
    return old === now ? [] : [`@@ ${name} @@`, ...hunks(lineDiff(lines(old), lines(now)))];
  });
  return pieces.length === 0 ? '' : `${[title, ...pieces].join('\n')}\n`;
}

function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** ` same`, `-old`, `+new`: by the longest common subsequence; methods have at most some hundred lines. */
export function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  // longest[i][j]: length of what before[i..] and after[j..] have in common.
  const longest = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (const [i, row] of [...longest.entries()].slice(0, -1).reverse())
    for (let j = after.length - 1; j >= 0; j -= 1)
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const result: string[] = [];
  let j = 0;
  for (const [i, old] of before.entries()) {
    while (j < after.length && old !== after[j] && at(i, j + 1) > at(i + 1, j)) result.push(`+${after[j++]}`);
    if (j < after.length && old === after[j]) result.push(` ${after[j++]}`);
    else result.push(`-${old}`);
  }
  return [...result, ...after.slice(j).map((line) => `+${line}`)];
}

/** Leaves out what is far from any change. */
function hunks(diff: readonly string[], context = 3): string[] {
  const near = diff.map((_, index) =>
    diff.slice(Math.max(0, index - context), index + context + 1).some((line) => !line.startsWith(' ')),
  );
  return diff.flatMap((line, index) => {
    if (near[index] === true) return [line];
    return near[index - 1] === true || index === 0 ? ['  ...'] : [];
  });
}
