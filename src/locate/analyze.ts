import type { Class } from 'acorn';
import type { Fingerprints, Reason } from '../types.ts';
import { type EndInput, endInputOf } from './end-input.ts';
import { type Facts, extractFacts } from './facts.ts';
import { familyOf } from './families/index.ts';
import type { FamilyRule } from './families/family.ts';
import { fingerprint } from './fingerprints.ts';
import { isKnownBundle } from './known.ts';
import { classesOf, findClasses, parseWhole } from './region.ts';
import { type Roles, bindRoles } from './roles.ts';
import { type Source, sha256 } from './source.ts';

/** What one bundle's text says: nothing (no bundle), a class with every role bound, or why not. */
export type Analysis =
  | { kind: 'none' }
  | { kind: 'unknown'; reasons: Reason[] }
  | { kind: 'bound'; roles: Roles; rule: FamilyRule; endInput: EndInput; facts: Facts; known: boolean };

/** Patching a text and proving the patch look at the same one six times in a row. */
let last: { source: Source; analysis: Analysis } | undefined;

/** Region, roles, family, facts of a bundle that nobody has patched. Pure; the text is never executed. */
export function analyze(source: Source): Analysis {
  if (last?.source !== source) last = { source, analysis: analyzeAnew(source) };
  return last.analysis;
}

function analyzeAnew(source: Source): Analysis {
  const search = findClasses(source);
  if (search.kind === 'none') return { kind: 'none' };
  if (search.kind === 'failed')
    return unknown({ code: search.reason, ...(search.at === undefined ? {} : { args: { at: search.at } }) });
  const [node] = search.classes;
  if (!node || search.classes.length !== 1)
    return unknown({ code: 'class-ambiguous', args: { found: search.classes.length } });

  const roles = bindRoles(node);
  if ('role' in roles)
    return unknown({ code: 'role-not-bound', args: { role: roles.role, found: roles.found } });
  const rule = familyOf(roles);
  if (!rule) return unknown({ code: 'role-not-bound', args: { role: 'family', found: 0 } });

  const hash = sha256(source);
  const known = isKnownBundle(hash);
  // Released bytes are known to be whole and the class to be code; of any other file only its parse tells.
  const doubt = known ? undefined : doubtsAbout(source, hash, node);
  if (doubt) return unknown(doubt);
  const endInput = endInputOf(source);
  return { kind: 'bound', roles, rule, endInput, facts: extractFacts(roles, rule.family, endInput), known };
}

/** The fingerprints of a bound analysis; apart, since only reports need them. */
export function fingerprintsOf({ roles, facts }: Extract<Analysis, { kind: 'bound' }>): Fingerprints {
  const prints = printed.get(roles) ?? fingerprint(roles, facts);
  printed.set(roles, prints);
  return prints;
}

/** A patched text is inspected as its original is. */
const printed = new WeakMap<Roles, Fingerprints>();

function unknown(reason: Reason): Analysis {
  return { kind: 'unknown', reasons: [reason] };
}

/** Verdicts of whole parses by hash: a tree has the same bytes many times, and a patch looks at them twice. */
const parsed = new Map<string, Reason | undefined>();

function doubtsAbout(source: Source, hash: string, node: Class): Reason | undefined {
  if (!parsed.has(hash)) parsed.set(hash, parseDoubts(source, node));
  return parsed.get(hash);
}

function parseDoubts(source: Source, node: Class): Reason | undefined {
  const whole = parseWhole(source);
  if ('failedAt' in whole) return { code: 'not-javascript', args: { at: whole.failedAt } };
  const classes = classesOf(whole.program);
  if (!classes.some((found) => found.start === node.start))
    return { code: 'not-code', args: { at: node.start } };
  return classes.length === 1 ? undefined : { code: 'class-ambiguous', args: { found: classes.length } };
}
