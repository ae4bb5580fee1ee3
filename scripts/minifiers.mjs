import { transform as swc } from '@swc/core';
import { build, transform as esbuild } from 'esbuild';
import { minifySync as oxc } from 'oxc-minify';
import { minify as terser } from 'terser';

/** Name of a minifier in the file's name -> what it makes of one module. Property names are kept. */
export const minifiers = {
  esbuild: async (text) => (await esbuild(text, { minify: true, format: 'esm', target: 'es2022' })).code,
  'esbuild-bundle': async (text, url) => {
    const options = {
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'es2022',
      write: false,
    };
    const stdin = { contents: text, sourcefile: url.pathname.slice(url.pathname.lastIndexOf('/') + 1) };
    return (await build({ ...options, stdin })).outputFiles[0].text;
  },
  terser: async (text) =>
    `${(await terser(text, { module: true, ecma: 2020, compress: { passes: 2 } })).code}\n`,
  swc: async (text) => {
    const minify = { compress: { passes: 2 }, mangle: true, module: true };
    const jsc = { parser: { syntax: 'ecmascript' }, target: 'es2022', minify };
    const options = { jsc, minify: true, isModule: true, configFile: false, swcrc: false };
    return `${(await swc(text, options)).code.trimEnd()}\n`;
  },
  oxc: async (text, url) => {
    const { code, errors } = oxc(url.pathname, text, {
      module: true,
      compress: { target: 'es2022' },
      mangle: true,
    });
    if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'));
    return `${code.trimEnd()}\n`;
  },
};
