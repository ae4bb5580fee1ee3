import { type AnyNode, Parser, type Program } from 'acorn';
import type { Source } from './source.ts';

const OPTIONS = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowHashBang: true,
  allowReturnOutsideFunction: true,
} as const;

/** What acorn has of its own, of which its types say nothing. */
interface Inside {
  pos: number;
  nextToken(): void;
  parseExprAtom(): AnyNode;
  scopeStack: Scope[];
  declareName(name: string, bindingType: number, at: number): void;
}

const lists = ['var', 'lexical', 'functions'] as const;
type Scope = Record<(typeof lists)[number], string[]>;

/** Up to here looking through a list is as fast as asking a map. */
const shortList = 64;

/** Names in the order in which they were declared, found without looking through all of them. */
class Names extends Array<string> {
  readonly #places = new Map<string, number>();

  override push(...names: string[]): number {
    for (const name of names) {
      if (!this.#places.has(name)) this.#places.set(name, this.length);
      super.push(name);
    }
    return this.length;
  }

  override indexOf(name: string): number {
    return this.#places.get(name) ?? -1;
  }
}

/**
 * acorn, for bundles: looking each declared name up among all of its scope takes time that grows with the square of their
 * number, which for a bundle of 8 MB was two thirds of the whole.
 */
class BundleParser extends Parser {
  static atom(source: Source, start: number): AnyNode {
    const parser = new BundleParser(OPTIONS, source) as unknown as Inside;
    // Given to the constructor, it would count the lines before it, which takes longer than to parse a class.
    parser.pos = start;
    parser.nextToken();
    return parser.parseExprAtom();
  }

  declareName(name: string, bindingType: number, at: number): void {
    const { scopeStack } = this as unknown as Inside;
    // From the innermost to the one that a `var` belongs to is as far as acorn looks; large ones are near the top.
    for (const scope of scopeStack) {
      for (const list of lists) {
        const names = scope[list];
        if (names.length <= shortList || names instanceof Names) continue;
        scope[list] = new Names();
        scope[list].push(...names);
      }
    }
    // @ts-expect-error acorn's own method
    super.declareName(name, bindingType, at); // eslint-disable-line
  }
}

/**
 * Parses a whole program.
 * @throws SyntaxError of acorn, with the offset as `pos`
 */
export function parseProgram(source: Source, sourceType: 'module' | 'script'): Program {
  return BundleParser.parse(source, { ...OPTIONS, sourceType });
}

/**
 * Parses what begins at an offset as one expression atom, a class for instance: it stops at the class's `}`, where an
 * expression would read on.
 * @throws SyntaxError of acorn
 */
export function parseAtom(source: Source, start: number): AnyNode {
  return BundleParser.atom(source, start);
}
