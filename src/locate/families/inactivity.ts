import { holds } from '../conditions.ts';
import { callConditions, guardedWait, isNeedsCall, mentions, sitePair } from './match.ts';
import type { FamilyRule } from './family.ts';

/**
 * Waits until no frame came for a while; a string prompt has a method of its own that does the same:
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
    const single = sites && roles.methods.get(sites.single.method);
    if (!wait || !method || !single || single === roles.read.method) return false;
    const waits = callConditions(single, wait.method);
    return (
      mentions(method, 'setTimeout') &&
      mentions(method, 'Date.now') &&
      waits.length === 1 &&
      waits.every((conditions) => holds(conditions, (test) => isNeedsCall(roles, test)))
    );
  },
  status: 'affected',
  reason: 'ends-after-inactivity',
} satisfies FamilyRule;
