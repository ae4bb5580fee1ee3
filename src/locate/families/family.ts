import type { Family, ReasonCode, Status } from '../../types.ts';
import type { Roles } from '../roles.ts';

/**
 * One family of the end-of-input logic: a file that says, from the roles alone, whether a class belongs to
 * it, and what that means for whoever runs it. This is what decides "affected".
 */
export interface FamilyRule {
  family: Family;
  /** Published releases of the SDK in which it was seen. */
  seenIn: string;
  /** Whether the class ends input the way this family does. Anything out of place: false. */
  matches(roles: Roles): boolean;
  /** The status of stock code of this family whose transport really ends input. */
  status: Extract<Status, 'affected' | 'partial'>;
  reason: ReasonCode;
}
