import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { endInputOf } from '../../src/locate/end-input.ts';

const call = 'this.transport.endInput();';

describe('endInputOf', () => {
  for (const text of [
    `class A{endInput(){}}${call}`,
    `class A{endInput() {\n}}class B{endInput(){ /* a socket has no input */ }}${call}`,
    `class A{endInput(){\n// nothing to end\n}}${call}`,
  ])
    test(`empty: ${text}`, () => {
      assert.equal(endInputOf(text), 'empty');
    });
  for (const text of [
    call,
    `class A{endInput(){this.stdin.end()}}${call}`,
    `class A{endInput(){}}class B{endInput(){this.stdin.end()}}${call}`,
    `class A{endInput(){}}class B{endInput=()=>this.stdin.end()}${call}`,
    `class A{endInput(){}}b={endInput:f};${call}`,
    `class A{endInput(){}}b["endInput"]=f;${call}`,
    `import{T}from"./transport.mjs";class A{endInput(){}}${call}`,
    `class A{endInput(){}}const{T}=await import("./transport.mjs");${call}`,
  ])
    test(`in doubt it ends: ${text}`, () => {
      assert.equal(endInputOf(text), 'ends');
    });
});
