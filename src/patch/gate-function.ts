import { GATE_TEXT } from './gate-text.ts';

/** The name that all inserted code goes through; a function declaration at the end of the file. */
export const GATE_NAME = '$holdopen';

/**
 * A function declaration is hoisted: it is there for every class of the file, wherever that stands, and
 * makes the gate when the first query asks for it.
 */
export const GATE_FUNCTION =
  `\n;function ${GATE_NAME}(q,e){var m=${GATE_NAME}.m||(${GATE_NAME}.m=(function(){${GATE_TEXT}return g})());` +
  `return e?m.askForState(q,e):m.gateOf(q)}`;
