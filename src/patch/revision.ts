import { GATE_FUNCTION } from './gate-function.ts';
import { gateHash } from './marker.ts';

/** Goes up with every change of the gate or of an edit that users should get on the next `patch`. */
export const REVISION = 1;

/** Which gate this is. The build puts the hash in its place for whoever only compares it. */
export const GATE_HASH = gateHash(GATE_FUNCTION);
