/** Name of a minifier -> what it makes of one module. */
export const minifiers: Record<
  'esbuild' | 'esbuild-bundle' | 'terser' | 'swc' | 'oxc',
  (text: string, url: URL) => Promise<string>
>;
