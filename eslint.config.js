import tseslint from 'typescript-eslint';

/** Which modules may reach outside the process, and which import which: the linter holds the layout. */
const outside = ['node:fs', 'node:fs/promises', 'node:child_process', 'node:net', 'node:http', 'node:https'];
const notOutside = {
  paths: outside.map((name) => ({
    name,
    message: 'Only cli, patch/write, locate/installs, release and probe touch disk, network or processes.',
  })),
};

export default tseslint.config(
  {
    ignores: [
      'sdk.d.ts',
      'dist/',
      'node_modules/',
      'fixtures/dist/',
      'src/patch/gate-text.ts',
      'src/locate/known-shapes.ts',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['eslint.config.js', 'bin/*.js', 'scripts/*.mjs', 'test/support/*.cjs'],
        },
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', name: ['describe', 'it', 'test'], package: 'node:test' },
          ],
        },
      ],
      'no-console': 'error',
    },
  },
  { files: ['scripts/**', 'bench/**', 'test/**', 'src/cli/**'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['bin/*.js', '**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['src/**'],
    ignores: ['src/cli/**', 'src/patch/write.ts', 'src/locate/installs/**', 'src/release/**', 'src/probe/**'],
    rules: { 'no-restricted-imports': ['error', notOutside] },
  },
  {
    files: ['src/release/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['**/report/**', '**/cli/**'], message: 'A report is made of what is found.' }],
        },
      ],
    },
  },
  {
    files: ['src/locate/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ group: ['**/patch/**', '**/cli/**'], message: 'locate never imports patch or cli.' }],
        },
      ],
    },
  },
  {
    files: ['src/locate/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...notOutside,
          patterns: [{ group: ['**/patch/**', '**/cli/**'], message: 'locate never imports patch or cli.' }],
        },
      ],
    },
  },
  {
    files: ['src/patch/gate.ts', 'src/patch/gate/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\./gate/|\\./\\w+\\.ts$|\\.\\./gate\\.ts$)',
              message: 'The gate is inserted into the bundle: it imports only its own parts.',
            },
          ],
        },
      ],
    },
  },
);
