import type { Class } from 'acorn';
import type { Fingerprints, Reason } from '../types.ts';
import { mayHoldClass } from './anchors.ts';
import { depthOf } from './ast.ts';
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
export type Analysis = { kind: 'none' } | { kind: 'unknown'; reasons: Reason[] } | BoundClass;

/** A class whose every role is bound. */
export interface BoundClass {
  kind: 'bound';
  roles: Roles;
  rule: FamilyRule;
  endInput: EndInput;
  facts: Facts;
  /** Whether these very bytes are recorded. */
  known: boolean;
}

/** Region, roles, family, facts of a bundle that nobody has patched. Pure; the text is never executed. */
export function analyze(source: Source): Analysis {
  // The cheapest test first, and no bundle is hashed for nothing.
  if (!mayHoldClass(source)) return { kind: 'none' };
  const hash = sha256(source);
  const seen = analyses.get(hash) ?? analyzeBundle(source, hash);
  analyses.delete(hash);
  analyses.set(hash, seen);
  const [oldest] = analyses.keys();
  if (analyses.size > mostAnalyses && oldest !== undefined) analyses.delete(oldest);
  return seen;
}

/**
 * What was found last, by the hash of the text: a tree has the same bundles many times, and a patch and its proof look at
 * one twice. A copy has no more kinds of bundle than this; syntax trees take memory.
 */
const analyses = new Map<string, Analysis>();
const mostAnalyses = 4;

/** Known releases have some 25; a class that nests a hundred times as deep overflows the stack of who rewrites it. */
const mostDepth = 500;

function analyzeBundle(source: Source, hash: string): Analysis {
  const search = findClasses(source);
  if (search.kind === 'none') return { kind: 'none' };
  if (search.kind === 'failed')
    return unknown({ code: search.reason, ...(search.at === undefined ? {} : { args: { at: search.at } }) });
  const [node] = search.classes;
  if (!node || search.classes.length !== 1)
    return unknown({ code: 'class-ambiguous', args: { found: search.classes.length } });
  if (depthOf(node.body) > mostDepth) return unknown({ code: 'class-too-deep', args: { most: mostDepth } });

  const roles = bindRoles(node);
  if ('role' in roles)
    return unknown({ code: 'role-not-bound', args: { role: roles.role, found: roles.found } });
  const rule = familyOf(roles);
  if (!rule) return unknown({ code: 'role-not-bound', args: { role: 'family', found: 0 } });

  const known = isKnownBundle(hash);
  // Released bytes are known to be whole and the class to be code; of any other file only its parse tells.
  const doubt = known ? undefined : doubtsAbout(source, node);
  if (doubt) return unknown(doubt);
  const endInput = endInputOf(source);
  return { kind: 'bound', roles, rule, endInput, facts: extractFacts(roles, rule.family, endInput), known };
}

/** The fingerprints of a bound analysis; apart, since only reports need them. */
export function fingerprintsOf(analysis: BoundClass): Fingerprints {
  const made = fingerprints.get(analysis) ?? fingerprint(analysis.roles, analysis.facts);
  fingerprints.set(analysis, made);
  return made;
}

const fingerprints = new WeakMap<Analysis, Fingerprints>();

function unknown(reason: Reason): Analysis {
  return { kind: 'unknown', reasons: [reason] };
}

function doubtsAbout(source: Source, node: Class): Reason | undefined {
  const whole = parseWhole(source);
  if ('failedAt' in whole) return { code: 'not-javascript', args: { at: whole.failedAt } };
  const classes = classesOf(whole.program);
  if (!classes.some((found) => found.start === node.start))
    return { code: 'not-code', args: { at: node.start } };
  return classes.length === 1 ? undefined : { code: 'class-ambiguous', args: { found: classes.length } };
}
