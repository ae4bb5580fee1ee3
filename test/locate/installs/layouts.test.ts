import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findInstalls } from '../../../src/locate/installs/index.ts';
import { globalRoots } from '../../../src/locate/installs/index.ts';
import { yamlValue } from '../../../src/locate/installs/library.ts';
import { find, pack, sdk, sdkName, sdkPlace } from '../../support/installs.ts';
import { link, makeTree } from '../../support/tree.ts';

const app = { 'package.json': '{"name":"app"}' };
const entry = (version: string, peers: string): string =>
  `@anthropic-ai+claude-agent-sdk@${version}_${peers}`;

describe('pnpm', () => {
  it('finds peer twins, and a copy that only another package depends on', (t) => {
    const store = 'node_modules/.pnpm';
    const root = makeTree(t, {
      ...app,
      'node_modules/.modules.yaml': 'virtualStoreDir: .pnpm\n',
      [`${store}/${entry('0.3.205', 'zod@4')}/${sdkPlace}`]: sdk('0.3.205'),
      [`${store}/${entry('0.3.205', 'zod@5')}/${sdkPlace}`]: sdk('0.3.205'),
      [`${store}/${entry('0.2.50', 'x')}/${sdkPlace}`]: sdk('0.2.50'),
      [sdkPlace]: link(`../.pnpm/${entry('0.3.205', 'zod@4')}/${sdkPlace}`),
    });
    const { copies } = findInstalls({ cwd: root });
    assert.deepEqual(
      copies.map(({ version, layout }) => [version, layout]),
      [
        ['0.2.50', 'pnpm'],
        ['0.3.205', 'pnpm'],
        ['0.3.205', 'pnpm'],
      ],
    );
  });

  it('lets its store be written outside of the project, and follows it to what a package depends on', (t) => {
    // Whatever it is called.
    for (const links of ['store/links', 'store/v']) {
      const root = makeTree(t, {
        app: {
          ...app,
          'node_modules/.modules.yaml': `{"virtualStoreDir":"../../${links}"}`,
          'node_modules/x': link(`../../${links}/x/node_modules/x`),
        },
        [`${links}/x/node_modules/x`]: pack('x'),
        [`${links}/x/${sdkPlace}`]: link('../../../sdk/node_modules/@anthropic-ai/claude-agent-sdk'),
        [`${links}/sdk/${sdkPlace}`]: sdk('0.3.205'),
        [`${links}/strangers/${sdkPlace}`]: sdk('0.3.209'),
      });
      const { copies } = findInstalls({ cwd: join(root, 'app') });
      assert.deepEqual(
        copies.map((copy) => [copy.version, copy.root]),
        [['0.3.205', join(root, links)]],
      );
    }
  });

  it('looks into the store of a member that has one of its own', (t) => {
    // `sharedWorkspaceLockfile: false`; the copy is one that only another package depends on.
    const place = `packages/a/node_modules/.pnpm/${entry('0.3.205', 'zod@4')}/${sdkPlace}`;
    const root = makeTree(t, {
      ...app,
      'pnpm-workspace.yaml': "packages: ['packages/*']\n",
      'node_modules/.modules.yaml': 'virtualStoreDir: .pnpm\n',
      'packages/a/package.json': '{"name":"a"}',
      [place]: sdk('0.3.205'),
    });
    assert.deepEqual(find(root), [`${place} ${sdkName}@0.3.205`]);
    assert.equal(findInstalls({ cwd: root }).copies[0]?.layout, 'pnpm');
  });

  it('takes no folder for its store that the project itself lies in', (t) => {
    for (const dir of ['/', '../..', '../../..']) {
      const root = makeTree(t, {
        app: {
          ...app,
          'node_modules/.modules.yaml': `virtualStoreDir: ${dir}\n`,
          [sdkPlace]: link('../../../other/node_modules/@anthropic-ai/claude-agent-sdk'),
        },
        [`other/${sdkPlace}`]: sdk('0.3.205'),
      });
      const { copies } = findInstalls({ cwd: join(root, 'app') });
      assert.deepEqual(
        copies.map((copy) => [copy.version, copy.root]),
        [['0.3.205', undefined]],
        dir,
      );
    }
  });

  it('knows the workspaces of pnpm-workspace.yaml, from the root and from a member', (t) => {
    const root = makeTree(t, {
      ...app,
      'pnpm-workspace.yaml': "packages:\n  - 'packages/*' # all\n",
      'node_modules/.modules.yaml': '',
      'packages/a': pack('a', '1.0.0', { [sdkPlace]: sdk('0.3.205') }),
    });
    const found = [`packages/a/${sdkPlace} ${sdkName}@0.3.205`];
    assert.deepEqual(find(root), found);
    assert.equal(findInstalls({ dir: 'packages/a', cwd: root }).root, root);
  });
});

describe('the layout of a copy', () => {
  const cases: [string, Record<string, string>][] = [
    ['npm', { 'node_modules/.package-lock.json': '{}' }],
    ['pnpm', { 'node_modules/.modules.yaml': '{}' }],
    ['yarn-classic', { 'node_modules/.yarn-integrity': '{}' }],
    ['yarn', { 'node_modules/.yarn-state.yml': '' }],
    ['yarn', { '.yarnrc.yml': 'nodeLinker: pnpm' }],
    ['bun', { 'bun.lock': '{}' }],
  ];
  for (const [layout, marker] of cases) {
    it(`${layout} by ${Object.keys(marker).join()}`, (t) => {
      const root = makeTree(t, { ...app, ...marker, [sdkPlace]: sdk('0.3.205') });
      assert.deepEqual(
        findInstalls({ cwd: root }).copies.map((copy) => copy.layout),
        [layout],
      );
    });
  }
});

describe('bun', () => {
  it('finds what only its store holds', (t) => {
    const place = `node_modules/.bun/@anthropic-ai+claude-agent-sdk@0.3.205+abc/${sdkPlace}`;
    const root = makeTree(t, { ...app, [place]: sdk('0.3.205') });
    assert.deepEqual(find(root), [`${place} ${sdkName}@0.3.205`]);
  });
});

describe('a store that nobody has a finder for', () => {
  it('is looked into for what only its packages depend on, and folders that are none are not', (t) => {
    // deno, cnpm, and whoever comes next.
    for (const store of ['.deno', '.store', '.next-manager']) {
      const place = `node_modules/${store}/@anthropic-ai+claude-agent-sdk@0.3.205/${sdkPlace}`;
      const root = makeTree(t, {
        ...app,
        'node_modules/x': link(`${store}/x@1.0.0/node_modules/x`),
        [`node_modules/${store}/x@1.0.0/node_modules/x`]: pack('x'),
        [`node_modules/${store}/x@1.0.0/${sdkPlace}`]: link(`../../../../../${place}`),
        [place]: sdk('0.3.205'),
        'node_modules/.cache/claude-agent-sdk/node_modules/@anthropic-ai/claude-agent-sdk': sdk('0.2.50'),
      });
      assert.deepEqual(find(root), [`${place} ${sdkName}@0.3.205`], store);
    }
  });
});

describe('global roots', () => {
  it('are those of every package manager that are there', (t) => {
    const places = [
      'node/lib/node_modules',
      '.local/share/pnpm/global/5/node_modules',
      '.local/share/pnpm/global/v11/abc/node_modules',
      '.config/yarn/global/node_modules',
      '.bun/install/global/node_modules',
    ];
    const home = makeTree(t, Object.fromEntries(places.map((place) => [place, {}])));
    const system = { platform: 'linux' as const, node: join(home, 'node/bin/node'), superuser: false };
    const where = { ...system, env: {}, home };
    assert.deepEqual(globalRoots(where).sort(), places.map((place) => join(home, place)).sort());
    assert.deepEqual(globalRoots({ ...where, home: join(home, 'none'), node: '/nowhere/bin/node' }), []);
    const prefixed = { ...where, env: { npm_config_prefix: join(home, 'node') }, node: '/nowhere/bin/node' };
    assert.ok(globalRoots(prefixed).includes(join(home, 'node/lib/node_modules')));
    const elsewhere = { ...where, env: { XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: home } };
    assert.ok(!globalRoots(elsewhere).includes(join(home, '.config/yarn/global/node_modules')), 'as yarn 1');
  });

  it("of yarn 1 follow its own settings, and are not in the superuser's home", (t) => {
    const home = makeTree(t, {
      'named/node_modules': {},
      'data/yarn/global/node_modules': {},
      '.config/yarn/global/node_modules': {},
      'config/yarn/global/node_modules': {},
      configured: {},
    });
    const at = (path: string): string => join(home, path, 'node_modules');
    const where = { platform: 'linux' as const, node: '/nowhere/bin/node', superuser: false, env: {}, home };
    const roots = (changes: Partial<typeof where> & { env?: NodeJS.ProcessEnv }): string[] =>
      globalRoots({ ...where, ...changes });
    assert.deepEqual(roots({ env: { XDG_CONFIG_HOME: join(home, 'config') } }), [at('.config/yarn/global')]);
    assert.deepEqual(roots({ env: { XDG_DATA_HOME: join(home, 'data') } }), [at('data/yarn/global')]);
    assert.deepEqual(roots({ env: { YARN_GLOBAL_FOLDER: join(home, 'named') } }), [at('named')]);
    writeFileSync(join(home, 'configured/.yarnrc'), `global-folder "${join(home, 'named')}"\n`);
    assert.deepEqual(roots({ home: join(home, 'configured') }), [at('named')]);
    assert.ok(!roots({ superuser: true }).includes(at('.config/yarn/global')));
  });
});

describe('yaml', () => {
  it('reads what stands under a key at the top, and nothing of what cannot be read', () => {
    assert.equal(yamlValue('a: 1\nvirtualStoreDir: ".pnpm" # x\n', 'virtualStoreDir'), '.pnpm');
    assert.equal(yamlValue('a:\n  virtualStoreDir: x\n', 'virtualStoreDir'), undefined);
    const list = 'packages:\n# all\n- a\n- "b/*"\n\n- c # c\nother:\n- d\n';
    assert.deepEqual(yamlValue(list, 'packages'), ['a', 'b/*', 'c']);
    assert.deepEqual(yamlValue("packages: ['a',\n  b]\n", 'packages'), ['a', 'b']);
    assert.equal(yamlValue('other:\n- d\n', 'packages'), undefined);
    assert.deepEqual(yamlValue('packages: [a]\nother: "\n', 'packages'), ['a']);
    const bomb = 'a: &a [x, x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n';
    const more = 'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]\npackages: [*c, *c, *c, *c, *c]\n';
    for (const text of [bomb + more, '- packages', '', 'packages', 'packages: &a\n- *b'])
      assert.equal(yamlValue(text, 'packages'), undefined, text.slice(0, 20));
    assert.doesNotThrow(() => yamlValue('packages: '.padEnd(50_000, '['), 'packages'));
  });
});
