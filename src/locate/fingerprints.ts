import { createHash } from 'node:crypto';
import type { AnyNode, Class } from 'acorn';
import { generate } from 'astring';
import type { Fingerprints } from '../types.ts';
import { normalize } from './equivalences.ts';
import type { Facts } from './facts.ts';
import { alphaRename } from './rename.ts';
import type { Roles } from './roles.ts';

/** The normal form of a method or a class as text: for hashing, and for `explain` to show on the spot. */
export function normalForm(node: AnyNode | Class): string {
  const plain = normalize(node as AnyNode);
  alphaRename(plain);
  return generate(plain, { indent: '  ' });
}

/** The methods whose normal forms are hashed one by one, by what they are in this bundle. */
export function methodsThatMatter(roles: Roles): string[] {
  const names = [
    'streamInput',
    roles.needs.method,
    ...roles.waits.map((wait) => wait.method),
    roles.read.method,
    ...roles.sites.map((site) => site.method),
    'cleanup',
  ].map((name) => (typeof name === 'object' ? methodName(roles, name) : name));
  return [...new Set(names)].filter((name): name is string => name !== undefined);
}

function methodName(roles: Roles, method: Roles['cleanup']): string | undefined {
  return [...roles.methods].find(([, definition]) => definition === method)?.[0];
}

/** The hashes of a class above the level of bytes: methods, class, facts. */
export function fingerprint(roles: Roles, facts: Facts): Fingerprints {
  const methods: Record<string, string> = {};
  for (const name of methodsThatMatter(roles)) {
    const definition = roles.methods.get(name);
    if (definition) methods[name] = hash(normalForm(definition.value));
  }
  return { methods, class: hash(normalForm(roles.class)), facts: hash(JSON.stringify(facts)) };
}

/** 64 bits of sha256 in hex: short enough to read, long enough to tell every shape apart. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
