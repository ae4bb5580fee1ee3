import type { Roles } from '../roles.ts';
import type { FamilyRule } from './family.ts';
import { firstResult } from './first-result.ts';
import { inactivity } from './inactivity.ts';
import { runEnd } from './run-end.ts';
import { timedRace } from './timed-race.ts';

/** Oldest first. At most one matches any class; a test holds that. */
export const families: readonly FamilyRule[] = [timedRace, inactivity, firstResult, runEnd];

/** The family of a class, or undefined where none or more than one matches. */
export function familyOf(roles: Roles): FamilyRule | undefined {
  const [rule, ...others] = families.filter((candidate) => candidate.matches(roles));
  return others.length > 0 ? undefined : rule;
}
