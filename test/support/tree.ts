import { chmodSync, linkSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A directory as an object literal: names are paths, `/` allowed; see `link`, `hardLink` and `mode` for the rest. */
export interface Tree {
  [path: string]: Node;
}

type Node = string | Buffer | Tree | Special;

type Special =
  | { kind: typeof special; link: string }
  | { kind: typeof special; hardLink: string }
  | { kind: typeof special; mode: number; node: string | Buffer | Tree };

const special = Symbol('special');

/** A symlink; the target is relative to the directory that the link is in. */
export function link(target: string): Special {
  return { kind: special, link: target };
}

/** A hard link; the target is relative to the root of the tree and stands before the link in it. */
export function hardLink(target: string): Special {
  return { kind: special, hardLink: target };
}

/** A file or directory with a mode. */
export function mode(bits: number, node: string | Buffer | Tree): Special {
  return { kind: special, mode: bits, node };
}

/** JSON as a file, for package.json and the like. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Writes the tree into a new temporary directory, which goes away with the test.
 * @returns its real path
 */
export function makeTree(t: TestContext, tree: Tree): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'holdopen-test-')));
  t.after(() => {
    unlock(root);
    rmSync(root, { recursive: true, force: true });
  });
  // Tests that run as another user have to get in.
  chmodSync(root, 0o755);
  writeTree(root, root, tree);
  return root;
}

function writeTree(root: string, dir: string, tree: Tree): void {
  for (const [name, node] of Object.entries(tree)) writeNode(root, join(dir, name), node);
}

function writeNode(root: string, path: string, node: Node): void {
  mkdirSync(dirname(path), { recursive: true });
  if (typeof node === 'string' || Buffer.isBuffer(node)) {
    writeFileSync(path, node);
  } else if (!isSpecial(node)) {
    mkdirSync(path, { recursive: true });
    writeTree(root, path, node);
  } else if ('link' in node) {
    symlinkSync(node.link, path);
  } else if ('hardLink' in node) {
    linkSync(join(root, node.hardLink), path);
  } else {
    writeNode(root, path, node.node);
    chmodSync(path, node.mode);
  }
}

function isSpecial(node: Exclude<Node, string | Buffer>): node is Special {
  return node.kind === special;
}

/** A user other than root cannot remove what is in a directory without permissions. */
function unlock(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o755);
  for (const name of readdirSync(path)) unlock(join(path, name));
}
