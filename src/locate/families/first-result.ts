import type { FamilyRule } from './family.ts';
import { callConditions, endsAtResult, guardedWait, onFrame, resolverFields, sitePair } from './match.ts';

/**
 * Waits for the first `result`, which the read loop reports; a string prompt ends input there and then:
 *
 *     if(e.type==="result"){if(this.firstResultReceived=!0,this.firstResultReceivedResolve)
 *       this.firstResultReceivedResolve();if(this.isSingleUserTurn)this.transport.endInput()}
 *     waitForFirstResult(){...return new Promise(e=>{...;this.firstResultReceivedResolve=e})}
 */
export const firstResult = {
  family: 'first-result',
  seenIn: '0.1.73 - 0.3.283',
  matches(roles) {
    const sites = sitePair(roles);
    const wait = sites && guardedWait(roles, sites.tail);
    const method = wait && roles.methods.get(wait.method);
    if (!wait || !method) return false;
    const [field, ...others] = resolverFields(method);
    if (field === undefined || others.length > 0) return false;
    const reported = callConditions(roles.read.method, field).some((conditions) =>
      onFrame(conditions, 'result'),
    );
    return reported && endsAtResult(roles, sites.single);
  },
  status: 'affected',
  reason: 'ends-at-first-result',
} satisfies FamilyRule;
