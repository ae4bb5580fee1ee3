import { holds } from '../conditions.ts';
import { callConditions, endsAtResult, guardedWait, isNeedsCall, mentions, sitePair } from './match.ts';
import type { FamilyRule } from './family.ts';

/**
 * Waits until no frame came for a while; a string prompt has a method of its own that does the same, and in 0.1.72
 * the read loop's result:
 *
 *     async waitForInactivity(){...let t=Date.now()-this.lastActivityTime;if(t>=this.streamCloseTimeout)e();
 *       else setTimeout(n,...)...}
 *     async handleSingleTurnInputComplete(){if(this.hasBidirectionalNeeds())await this.waitForInactivity();
 *       this.transport.endInput()}
 */
export const inactivity = {
  family: 'inactivity',
  seenIn: '0.1.63 - 0.1.72',
  matches(roles) {
    const sites = sitePair(roles);
    const wait = sites && guardedWait(roles, sites.tail);
    const method = wait && roles.methods.get(wait.method);
    if (!wait || !method || !mentions(method, 'setTimeout') || !mentions(method, 'Date.now')) return false;
    if (endsAtResult(roles, sites.single)) return true;
    const single = roles.methods.get(sites.single.method);
    const waits = single && single !== roles.read.method ? callConditions(single, wait.method) : [];
    return (
      waits.length === 1 && waits.every((conditions) => holds(conditions, (test) => isNeedsCall(roles, test)))
    );
  },
  status: 'affected',
  reason: 'ends-after-inactivity',
} satisfies FamilyRule;
