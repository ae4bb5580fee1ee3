import type { Fingerprints, Reason } from '../types.ts';
import { mayHoldClass, methodKeys } from './anchors.ts';
import { type EndInput, endInputOf } from './end-input.ts';
import { type Facts, extractFacts } from './facts.ts';
import { familyOf } from './families/index.ts';
import type { FamilyRule } from './families/family.ts';
import { fingerprint } from './fingerprints.ts';
import { compiles } from './proof.ts';
import { findClasses, parsedClasses } from './region.ts';
import { type Roles, bindRoles, survey } from './roles.ts';
import { type Source, readSource, sha256, sourceBytes } from './source.ts';

/** What a text says of its class: nothing (no bundle), a class whose every role is bound, or why not. */
export type Analysis = { kind: 'none' } | { kind: 'unknown'; reasons: Reason[] } | BoundClass;

/** A class whose every role is bound. */
export interface BoundClass {
  kind: 'bound';
  roles: Roles;
  rule: FamilyRule;
  facts: Facts;
}

/**
 * One text, made where its file is read and handed on. Everything that can be asked of it is found out when it is asked
 * for, and once. Pure: nothing is read, written or executed.
 */
export class Bundle {
  #bytes: Buffer | undefined;
  #text: Source | undefined;
  #hash: string | undefined;
  #endInput: EndInput | undefined;
  #found: Analysis | undefined;
  #analysis: Analysis | undefined;
  #fingerprints: Fingerprints | undefined;

  /** @param content bytes of a file, or a text that {@link readSource} gave */
  constructor(content: Buffer | Source) {
    if (typeof content === 'string') this.#text = content;
    else this.#bytes = content;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= sourceBytes(this.#text ?? ''));
  }

  get text(): Source {
    return (this.#text ??= readSource(this.bytes));
  }

  /** sha256 in hex. */
  get hash(): string {
    return (this.#hash ??= sha256(this.bytes));
  }

  /** Whether it is worth to look for the class at all: both names are there, and one of them as a method's. */
  get mayHoldClass(): boolean {
    return mayHoldClass(this.bytes);
  }

  /** Whether no transport of it has an input to end: then it is `unaffected`, whatever its class does. Takes no parser. */
  get hasNoInput(): boolean {
    return this.endInput === 'empty' && methodKeys(this.bytes).length > 0;
  }

  get endInput(): EndInput {
    return (this.#endInput ??= endInputOf(this.bytes));
  }

  /** The class, by a parse of nothing else: it may stand in a comment, or in a text that is cut off. */
  get found(): Analysis {
    return (this.#found ??= analyze(this));
  }

  /**
   * The class, proved to be code of a text that is whole: the engine's own compiler tells, and where it refuses the text, or
   * may be wrong about it, a parse of the whole.
   */
  get analysis(): Analysis {
    if (this.#analysis) return this.#analysis;
    const doubt = this.found.kind === 'bound' ? doubtAbout(this.text, this.found) : undefined;
    return (this.#analysis = doubt ? unknown(doubt) : this.found);
  }

  /** Of a bound class; apart, since only reports need them. */
  get fingerprints(): Fingerprints | undefined {
    const { found } = this;
    if (found.kind !== 'bound') return undefined;
    return (this.#fingerprints ??= fingerprint(found.roles, found.facts));
  }
}

/** Known releases have some 25; a class that nests a hundred times as deep overflows the stack of who rewrites it. */
const mostDepth = 500;

function analyze(bundle: Bundle): Analysis {
  if (!bundle.mayHoldClass) return { kind: 'none' };
  const search = findClasses(bundle.text);
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
  return { kind: 'bound', roles, rule, facts: extractFacts(roles, rule.family, bundle.endInput) };
}

function doubtAbout(text: Source, { roles }: BoundClass): Reason | undefined {
  const { start, body } = roles.class;
  if (compiles(text, [{ start, body: body.start }])) return undefined;
  const whole = parsedClasses(text);
  if ('failedAt' in whole) return { code: 'not-javascript', args: { at: whole.failedAt } };
  if (!whole.starts.includes(start)) return { code: 'not-code', args: { at: start } };
  const found = whole.starts.length;
  return found === 1 ? undefined : { code: 'class-ambiguous', args: { found } };
}

function unknown(reason: Reason): Analysis {
  return { kind: 'unknown', reasons: [reason] };
}
