import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCopy, buildReport } from '../../src/report/build.ts';
import { emptyBundle } from '../../src/status.ts';
import { formats } from '../../src/report/index.ts';
import type { RenderOptions } from '../../src/report/index.ts';
import { nextSteps, remedy, shellWord } from '../../src/report/findings.ts';
import type { BundleReport, CopyReport, Reason, Report, Status } from '../../src/types.ts';

const plain: RenderOptions = {
  colors: false,
  target: '',
  version: '0.0.0',
  locate: () => ({ path: 'package.json', line: 1 }),
  cwd: '/p',
};

function bundle(file: string, status: Status, ...reasons: Reason[]): BundleReport {
  return emptyBundle(file, status, reasons);
}

function copy(path: string, ...bundles: BundleReport[]): CopyReport {
  return buildCopy({ package: 'sdk', version: '1.2.3', path, layout: 'npm', bundles });
}

function report(...copies: CopyReport[]): Report {
  return buildReport('/p', copies);
}

describe('human', () => {
  const render = (document: Report, options: Partial<RenderOptions> = {}): string =>
    formats.human.render(document, { ...plain, ...options });

  it('has a line for each copy, the reasons of what is not clean, and the summary last', () => {
    const document = report(
      copy(
        'node_modules/sdk',
        bundle('a.mjs', 'unaffected'),
        bundle('b.mjs', 'patched', { code: 'gate-current' }),
      ),
      copy(
        'node_modules/x/node_modules/sdk',
        bundle('a.mjs', 'patched'),
        bundle('b.mjs', 'stale', { code: 'gate-older' }),
        bundle('c.mjs', 'unknown', { code: 'class-ambiguous', args: { found: 2 } }),
      ),
    );
    assert.equal(
      render(document),
      [
        'patched     sdk 1.2.3  node_modules/sdk',
        'unknown     sdk 1.2.3  node_modules/x/node_modules/sdk',
        '              b.mjs carries an older gate of ours',
        '              c.mjs holds the class that ends the input 2 times, so that none can be told apart',
        '2 copies: 1 unknown, 1 patched. Next: npx holdopen patch; npx holdopen explain node_modules/x/node_modules/sdk',
        '',
      ].join('\n'),
    );
  });

  it('ends with the summary alone where nothing is to be done', () => {
    assert.match(render(report(copy('a', bundle('a.mjs', 'patched')))), /\n1 copy: 1 patched\.\n$/);
  });

  it('says since when a shape is known, or that it is new', () => {
    const fingerprints = { methods: {}, class: 'a', facts: 'b' };
    const shaped = (since: string | null): BundleReport => ({
      ...bundle('sdk.mjs', 'affected', { code: 'ends-at-first-result' }),
      known: since !== null,
      since,
      fingerprints,
    });
    assert.match(
      render(report(copy('a', shaped('0.3.205')))),
      /"Stream closed"; known shape since 0\.3\.205\n/,
    );
    assert.match(render(report(copy('a', shaped(null)))), /"Stream closed"; new shape\n/);
    assert.doesNotMatch(render(report(copy('a', bundle('a.mjs', 'unknown')))), /shape since|new shape/);
  });

  it('says that holdopen can be removed where every copy is unaffected, and only there', () => {
    const fine = copy('a', bundle('a.mjs', 'unaffected'));
    assert.match(
      render(report(fine, fine)),
      /\n2 copies: 2 unaffected\. No copy needs a patch: holdopen can be removed\.\n$/,
    );
    for (const other of ['patched', 'partial', 'unknown', 'unreadable'] as const)
      assert.doesNotMatch(render(report(fine, copy('b', bundle('a.mjs', other)))), /can be removed/, other);
    assert.doesNotMatch(render(report({ ...fine, layout: 'file' })), /can be removed/);
    assert.doesNotMatch(render(report()), /can be removed/);
  });

  it('is one line where no SDK is installed', () => {
    assert.equal(render(report()), 'No Claude Agent SDK is installed in /p.\n');
  });

  it('has a text even where the reason is missing, and names no file where there is none', () => {
    const text = render(report(copy('a', bundle('.', 'unknown'))));
    assert.match(text, /\n {14}it cannot be told: it does not have the structure that we know\n/);
  });

  it('is coloured only if asked to be', () => {
    const document = report(copy('a', bundle('a.mjs', 'affected')), copy('b', bundle('a.mjs', 'patched')));
    assert.doesNotMatch(render(document), /\u001b/);
    const coloured = render(document, { colors: true });
    assert.match(coloured, /^\u001b\[31maffected {2}\u001b\[39m {2}sdk/);
    assert.match(coloured, /\n\u001b\[32mpatched {3}\u001b\[39m {2}sdk/);
  });

  it('lets no escape sequence of the inspected tree through', () => {
    const evil = {
      ...copy('a\u001b[2J', bundle('b\u001b[2J', 'affected')),
      package: 'c\u001b[2J',
      version: '\u001b',
    };
    assert.doesNotMatch(render(report(evil)), /\u001b/);
  });
});

describe('json', () => {
  it('is one document and the report itself', () => {
    const document = report(copy('a', bundle('a.mjs', 'stale', { code: 'gate-older' })));
    const text = formats.json.render(document, plain);
    assert.deepEqual(JSON.parse(text), document);
    assert.match(text, /\}\n$/);
  });

  it('has exactly the documented fields, nulls included', () => {
    const document = report(copy('a', bundle('a.mjs', 'unknown', { code: 'class-not-found' })));
    const { copies } = JSON.parse(formats.json.render(document, plain)) as Report;
    assert.deepEqual(copies, [
      {
        package: 'sdk',
        version: '1.2.3',
        path: 'a',
        layout: 'npm',
        status: 'unknown',
        bundles: [
          {
            file: 'a.mjs',
            status: 'unknown',
            family: null,
            known: false,
            since: null,
            needs: [],
            sites: 0,
            sha256: null,
            reasons: [{ code: 'class-not-found' }],
            fingerprints: null,
          },
        ],
      },
    ]);
  });
});

describe('next steps', () => {
  const steps = (status: Status, options: Partial<RenderOptions> = {}, path = 'm/sdk'): string[] =>
    nextSteps(report(copy(path, bundle('a.mjs', status))), { ...plain, ...options });

  it('fit the status', () => {
    assert.deepEqual(steps('patched'), []);
    assert.deepEqual(steps('unaffected'), []);
    for (const status of ['affected', 'partial', 'stale'] as const) {
      assert.deepEqual(steps(status), ['npx holdopen patch']);
    }
    assert.deepEqual(steps('modified'), ['rm -rf m/sdk && npm install', 'npx holdopen patch']);
    assert.deepEqual(steps('unknown'), ['npx holdopen explain m/sdk']);
    assert.deepEqual(steps('unreadable'), ['make m/sdk readable and run this again']);
  });

  it('look at every bundle, not at the worst alone', () => {
    const document = report(copy('m', bundle('a', 'affected'), bundle('b', 'unknown')));
    assert.deepEqual(nextSteps(document, plain), ['npx holdopen patch', 'npx holdopen explain m']);
  });

  it('repeat what was searched', () => {
    assert.deepEqual(steps('affected', { target: '--file dist' }), ['npx holdopen patch --file dist']);
  });

  it('mean the same path wherever they are typed', () => {
    assert.deepEqual(steps('modified', { cwd: '/p/sub' })[0], 'rm -rf /p/m/sdk && npm install');
    assert.deepEqual(steps('modified', { cwd: '/' })[0], 'rm -rf p/m/sdk && npm install');
    assert.deepEqual(steps('modified', {}, '/other/sdk')[0], 'rm -rf /other/sdk && npm install');
  });

  it('are safe to paste', () => {
    assert.equal(steps('modified', {}, "m/it's; x")[0], "rm -rf 'm/it'\\''s; x' && npm install");
    assert.equal(shellWord('a/@b/c-1.2'), 'a/@b/c-1.2');
    assert.equal(shellWord('$HOME'), "'$HOME'");
    assert.equal(shellWord(''), "''");
  });

  it('know that nobody installs a build, and that an older holdopen cannot help', () => {
    const place = { path: 'dist', layout: 'file' } as const;
    assert.equal(remedy('/p', place, { status: 'modified', reasons: [] }, plain), 'build dist again');
    const missing = [{ code: 'cannot-read', args: { detail: 'missing' } } as const];
    assert.equal(
      remedy('/p', { path: 'm/sdk', layout: 'pnpm' }, { status: 'unreadable', reasons: [...missing] }, plain),
      'let the install end, or repeat it: rm -rf m/sdk && pnpm install --force',
    );
    const newer = { status: 'modified', reasons: [{ code: 'gate-newer' }] } as const;
    assert.equal(
      remedy('/p', place, { ...newer, reasons: [...newer.reasons] }, plain),
      'npx holdopen@latest patch',
    );
  });
});
