import type { Family } from '../types.ts';
import type { EndInput } from './end-input.ts';
import type { Roles } from './roles.ts';

/** What the AST proves about a bundle, without a name that a minifier chose. Equal facts: equal behaviour. */
export interface Facts {
  family: Family | null;
  endInput: EndInput;
  /** Terms of the needs predicate, sorted. */
  needs: string[];
  needsMethod: string | null;
  /** What `streamInput` awaits before it ends input: a method of the class, or a race of its own. */
  waits: string[];
  /** The methods that the `endInput` calls stand in, sorted. */
  sites: string[];
  transport: string;
}

export function extractFacts(roles: Roles, family: Family | null, endInput: EndInput): Facts {
  return {
    family,
    endInput,
    needs: [...roles.needs.terms].sort(),
    needsMethod: roles.needs.method ?? null,
    waits: roles.waits.map((wait) => wait.method ?? 'race'),
    sites: roles.sites.map((site) => site.method).sort(),
    transport: roles.transport,
  };
}
