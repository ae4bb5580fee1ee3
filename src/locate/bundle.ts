import type { Fingerprints } from '../types.ts';
import { type Analysis, analyze, doubtAbout, fingerprintsOf } from './analyze.ts';
import { mayHoldClass, methodKeys } from './anchors.ts';
import { type EndInput, endInputOf } from './end-input.ts';
import { type Source, readSource, sha256, sourceBytes } from './source.ts';

/**
 * One text, made where its file is read and handed on. Everything that can be asked of it is found out when it is asked
 * for, and once. Pure: nothing is read, written or executed.
 */
export class Bundle {
  #bytes: Buffer | undefined;
  #text: Source | undefined;
  #hash: string | undefined;
  #endInput: EndInput | undefined;
  #found: Analysis | undefined;
  #analysis: Analysis | undefined;
  #fingerprints: Fingerprints | undefined;

  /** @param content bytes of a file, or a text that {@link readSource} gave */
  constructor(content: Buffer | Source) {
    if (typeof content === 'string') this.#text = content;
    else this.#bytes = content;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= sourceBytes(this.#text ?? ''));
  }

  get text(): Source {
    return (this.#text ??= readSource(this.bytes));
  }

  /** sha256 in hex. */
  get hash(): string {
    return (this.#hash ??= sha256(this.bytes));
  }

  /** Whether it is worth to look for the class at all: both names are there, and one of them as a method's. */
  get mayHoldClass(): boolean {
    return mayHoldClass(this.bytes);
  }

  /** Whether no transport of it has an input to end: then it is `unaffected`, whatever its class does. Takes no parser. */
  get hasNoInput(): boolean {
    return this.endInput === 'empty' && methodKeys(this.bytes).length > 0;
  }

  get endInput(): EndInput {
    return (this.#endInput ??= endInputOf(this.bytes));
  }

  /** The class, by a parse of nothing else: it may stand in a comment, or in a text that is cut off. */
  get found(): Analysis {
    return (this.#found ??= this.mayHoldClass ? analyze(this.text, this.endInput) : { kind: 'none' });
  }

  /**
   * The class, proved to be code of a text that is whole: the engine's own compiler tells, and where it refuses the text, or
   * may be wrong about it, a parse of the whole.
   */
  get analysis(): Analysis {
    if (this.#analysis) return this.#analysis;
    const doubt = this.found.kind === 'bound' ? doubtAbout(this.text, this.found) : undefined;
    return (this.#analysis = doubt ? { kind: 'unknown', reasons: [doubt] } : this.found);
  }

  /** Of a bound class; apart, since only reports need them. */
  get fingerprints(): Fingerprints | undefined {
    const { found } = this;
    if (found.kind !== 'bound') return undefined;
    return (this.#fingerprints ??= fingerprintsOf(found));
  }
}
