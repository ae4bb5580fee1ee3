import type { FamilyRule } from './family.ts';
import { endsAtResult, mentions, sitePair } from './match.ts';

/**
 * Waits for the first result or for a timer, and only for some of the needs:
 *
 *     if(this.sdkMcpTransports.size>0&&...)await Promise.race([this.firstResultReceivedPromise.then(...),
 *       new Promise(e=>{t=setTimeout(()=>{e()},1e4)})]);
 *     this.transport.endInput()
 */
export const timedRace = {
  family: 'timed-race',
  seenIn: '0.0.4 - 0.1.62',
  matches(roles) {
    const sites = sitePair(roles);
    const [race] = roles.waits;
    if (!sites || !race || roles.waits.length !== 1 || race.method !== undefined) return false;
    return (
      race.conditions.length > 0 &&
      race.node.end < sites.tail.node.start &&
      mentions(roles.input.method, 'setTimeout') &&
      endsAtResult(roles, sites.single)
    );
  },
  status: 'affected',
  reason: 'ends-after-timer',
} satisfies FamilyRule;
