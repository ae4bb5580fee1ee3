import { comparedLiteral } from '../ast.ts';
import { holds } from '../conditions.ts';
import type { FamilyRule } from './family.ts';
import { callConditions, guardedWait, onFrame, onSingleTurn, resolverFields, sitePair } from './match.ts';

/**
 * Waits for the end of the run: session state `idle` after a result, or a ceiling. Shells, monitors and the
 * like do not keep the session from being idle, so input still ends with work outstanding:
 *
 *     waitForRunEnd(){...this.runEndedResolve=()=>{...,e()}...}
 *     endRun(){if(this.runEnded)return;if(...,this.runEndedResolve?.(),this.isSingleUserTurn)this.transport.endInput()}
 *     else if(e.type==="system"&&e.subtype==="session_state_changed"){if(...e.state==="idle"){...this.endRun()}...}
 */
export const runEnd = {
  family: 'run-end',
  seenIn: '0.3.284 - 0.3.332',
  matches(roles) {
    const sites = sitePair(roles);
    const wait = sites && guardedWait(roles, sites.tail);
    const method = wait && roles.methods.get(wait.method);
    const end = sites && roles.methods.get(sites.single.method);
    if (!wait || !method || !end || end === roles.read.method || end === method) return false;
    const [field, ...others] = resolverFields(method);
    if (field === undefined || others.length > 0) return false;
    const ends = callConditions(roles.read.method, sites.single.method);
    return (
      callConditions(end, field).length === 1 &&
      onSingleTurn(sites.single.conditions) &&
      ends.some((conditions) => onFrame(conditions, 'result')) &&
      ends.some((conditions) =>
        holds(conditions, (test) => comparedLiteral(test, 'subtype') === 'session_state_changed'),
      )
    );
  },
  status: 'partial',
  reason: 'ends-at-idle',
} satisfies FamilyRule;
