// Loaded into the CLI's process before it begins: counts what it opens, lists, loads and parses, and says so at its end.
// What runs before the program does (`node` itself, this file) is not in it.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const counts = {
  opened: [],
  listed: [],
  looked: 0,
  written: [],
  wholeParses: 0,
  regionParses: 0,
  compiles: 0,
  parsedBytes: 0,
};

/** Every public way to read or write; the loader of modules has its own. */
function count(name, note) {
  const original = fs[name];
  fs[name] = function (first, ...rest) {
    note(first, ...rest);
    return original.call(this, first, ...rest);
  };
}
const reads = (flags) =>
  flags === undefined || (typeof flags === 'number' && (flags & 3) === 0) || flags === 'r';
count('openSync', (file, flags) => (reads(flags) ? counts.opened : counts.written).push(String(file)));
count('readdirSync', (dir) => counts.listed.push(String(dir)));
for (const name of ['statSync', 'lstatSync', 'existsSync']) count(name, () => (counts.looked += 1));
const { native } = fs.realpathSync;
fs.realpathSync.native = (...args) => ((counts.looked += 1), native(...args));
count('readFileSync', (file) => typeof file === 'string' && !isProgram(file) && counts.opened.push(file));

/** The files of the CLI and of its dependencies are counted as modules. */
function isProgram(file) {
  return /[\\/](?:bin|dist[\\/]cli|acorn[\\/]dist)[\\/][^\\/]+$/.test(file);
}

const load = Module._load;
Module._load = function (request, ...rest) {
  const loaded = load.call(this, request, ...rest);
  if (request === 'acorn' && !loaded.counted) countParses(loaded);
  return loaded;
};

/** A region is one expression; within a whole file, or a region, more of them are a part of it. */
function countParses(acorn) {
  Object.defineProperty(acorn, 'counted', { value: true });
  let depth = 0;
  for (const [name, kind] of [
    ['parse', 'wholeParses'],
    ['parseExprAtom', 'regionParses'],
  ]) {
    const original = acorn.Parser.prototype[name];
    acorn.Parser.prototype[name] = function (...args) {
      if (depth === 0) counts[kind] += this.input.length > 0 ? 1 : 0;
      depth += 1;
      try {
        const node = original.apply(this, args);
        if (depth === 1) counts.parsedBytes += node.end - node.start;
        return node;
      } finally {
        depth -= 1;
      }
    };
  }
}

const vm = require('node:vm');
vm.Script = class extends vm.Script {
  constructor(...args) {
    super(...args);
    counts.compiles += 1;
  }
};

const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const modules = Object.keys(require.cache).filter((file) => file !== __filename);
  const builtins = process.moduleLoadList.filter((name) => !before.has(name));
  const bytes = modules.reduce((sum, file) => sum + fs.statSync(file).size, 0);
  const result = { ...counts, modules: modules.map((file) => path.basename(file)), bytes, builtins };
  fs.writeFileSync(process.env.COUNTED, JSON.stringify(result));
});
