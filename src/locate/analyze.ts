import type { Fingerprints, Reason } from '../types.ts';
import type { EndInput } from './end-input.ts';
import { type Facts, extractFacts } from './facts.ts';
import { familyOf } from './families/index.ts';
import type { FamilyRule } from './families/family.ts';
import { fingerprint } from './fingerprints.ts';
import { compiles } from './proof.ts';
import { findClasses, parsedClasses } from './region.ts';
import { type Roles, bindRoles, survey } from './roles.ts';
import type { Source } from './source.ts';

/** What a text says of its class: nothing (no bundle), a class whose every role is bound, or why not. */
export type Analysis = { kind: 'none' } | { kind: 'unknown'; reasons: Reason[] } | BoundClass;

/** A class whose every role is bound. */
export interface BoundClass {
  kind: 'bound';
  roles: Roles;
  rule: FamilyRule;
  facts: Facts;
}

/** Known releases have some 25; a class that nests a hundred times as deep overflows the stack of who rewrites it. */
const mostDepth = 500;

/**
 * Region, roles, family and facts of a text that nobody has patched.
 * @param text pure; it is never executed
 * @param endInput what its transports do
 */
export function analyze(text: Source, endInput: EndInput): Analysis {
  const search = findClasses(text);
  if (search.kind === 'none') return search;
  if (search.kind === 'failed')
    return unknown({ code: search.reason, ...(search.at === undefined ? {} : { args: { at: search.at } }) });
  const [found] = search.classes;
  if (!found || search.classes.length !== 1)
    return unknown({ code: 'class-ambiguous', args: { found: search.classes.length } });
  const surveyed = survey(found);
  if (surveyed.depth > mostDepth) return unknown({ code: 'class-too-deep', args: { most: mostDepth } });

  const roles = bindRoles(surveyed);
  if ('role' in roles)
    return unknown({ code: 'role-not-bound', args: { role: roles.role, found: roles.found } });
  const rule = familyOf(roles);
  if (!rule) return unknown({ code: 'role-not-bound', args: { role: 'family', found: 0 } });
  return { kind: 'bound', roles, rule, facts: extractFacts(roles, rule.family, endInput) };
}

/** What speaks against a bound class: its text is not whole, or it is no code of it. undefined: nothing does. */
export function doubtAbout(text: Source, { roles }: BoundClass): Reason | undefined {
  const { start, body } = roles.class;
  if (compiles(text, [{ start, body: body.start }])) return undefined;
  const whole = parsedClasses(text);
  if ('failedAt' in whole) return { code: 'not-javascript', args: { at: whole.failedAt } };
  if (!whole.starts.includes(start)) return { code: 'not-code', args: { at: start } };
  const found = whole.starts.length;
  return found === 1 ? undefined : { code: 'class-ambiguous', args: { found } };
}

export function unknown(reason: Reason): Analysis {
  return { kind: 'unknown', reasons: [reason] };
}

/** The fingerprints of a bound class; apart, since only reports need them. */
export function fingerprintsOf({ roles, facts }: BoundClass): Fingerprints {
  return fingerprint(roles, facts);
}
