import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Log, Result } from 'sarif';
import { buildCopy, buildReport } from '../../src/report/build.ts';
import { emptyBundle, statuses } from '../../src/status.ts';
import { formats } from '../../src/report/index.ts';
import type { Location, RenderOptions } from '../../src/report/index.ts';
import type { CopyReport, Report } from '../../src/types.ts';

const name = '@anthropic-ai/claude-agent-sdk';
const hostile = 'a\n::error::b\r%0A]]>"<&\'\u0000\u001b[31m\ud800,:x';

function copies(): CopyReport[] {
  return statuses.map((status) =>
    buildCopy({
      package: name,
      version: '1.0.0',
      path: `node_modules/${status}`,
      layout: 'npm',
      bundles: [emptyBundle('sdk.mjs', status, [])],
    }),
  );
}

function report(more: CopyReport[] = []): Report {
  return buildReport('/p', [...copies(), ...more]);
}

function options(location: Location = { path: 'package.json', line: 7 }): RenderOptions {
  return { colors: false, target: '', cwd: '/p', version: '1.2.3', locate: () => location };
}

const hostileCopy = (): CopyReport =>
  buildCopy({
    package: hostile,
    version: hostile,
    path: hostile,
    layout: 'npm',
    bundles: [emptyBundle(hostile, 'unknown', [{ code: 'role-not-bound', args: { role: hostile } }])],
  });

function accepted(): CopyReport {
  const [copy] = copies().filter(({ status }) => status === 'affected');
  assert.ok(copy);
  return { ...copy, path: 'node_modules/accepted', ignored: { reason: 'legacy', expires: '2999-01-01' } };
}

describe('sarif', () => {
  const resultsOf = (text: string): Result[] => (JSON.parse(text) as Log).runs[0]?.results ?? [];

  it('is a log of one run, each result with a rule, a text and a place in the checkout', () => {
    const log = JSON.parse(formats.sarif.render(report([hostileCopy()]), options())) as Log;
    assert.equal(log.version, '2.1.0');
    const [run, ...others] = log.runs;
    assert.ok(run);
    assert.deepEqual(others, []);
    assert.equal(run.tool.driver.name, 'holdopen');
    const rules = run.tool.driver.rules ?? [];
    assert.equal(new Set(rules.map((rule) => rule.id)).size, rules.length);
    assert.equal(run.results?.length, statuses.length - 2 + 1);
    for (const result of run.results ?? []) {
      assert.equal(rules[result.ruleIndex ?? -1]?.id, result.ruleId);
      assert.match(result.message.text ?? '', /\S\. Next: \S/);
      assert.ok(['error', 'warning', 'note', 'none'].includes(result.level ?? ''));
      assert.deepEqual(result.locations, [
        {
          physicalLocation: {
            artifactLocation: { uri: 'package.json', uriBaseId: '%SRCROOT%' },
            region: { startLine: 7 },
          },
        },
      ]);
    }
    const prints = (run.results ?? []).map((result) => JSON.stringify(result.partialFingerprints));
    assert.equal(new Set(prints).size, prints.length, 'two results with one fingerprint are one alert');
  });

  it('writes paths as URIs', () => {
    const uri = (path: string): unknown =>
      resultsOf(formats.sarif.render(report(), options({ path, line: 1 })))[0]?.locations?.[0]
        ?.physicalLocation?.artifactLocation;
    assert.deepEqual(uri('a b/ü#?.json'), { uri: 'a%20b/%C3%BC%23%3F.json', uriBaseId: '%SRCROOT%' });
    assert.deepEqual(uri('/x/y.json'), { uri: 'file:///x/y.json' });
    assert.deepEqual(uri('C:/x.json'), { uri: 'file:///C:/x.json' });
  });

  it('marks what is accepted as suppressed, and only that', () => {
    const results = resultsOf(formats.sarif.render(buildReport('/p', [accepted(), ...copies()]), options()));
    assert.deepEqual(results.map((result) => result.suppressions).filter(Boolean), [
      [{ kind: 'external', justification: 'legacy' }],
    ]);
  });
});

describe('github', () => {
  it('prints one annotation for each copy that is not fine', () => {
    const lines = formats.github.render(report([accepted()]), options()).split('\n');
    assert.deepEqual(
      lines.map((line) =>
        /^::(\w+) file=package\.json,line=7,title=holdopen%3A \S+ 1\.0\.0 is (.+?)::/.exec(line)?.slice(1),
      ),
      [
        ['warning', 'partial'],
        ['warning', 'stale'],
        ['error', 'affected'],
        ['error', 'modified'],
        ['error', 'unknown'],
        ['error', 'unreadable'],
        ['notice', 'affected (ignored)'],
        undefined,
      ],
    );
    assert.equal(lines.at(-1), '');
    assert.equal(formats.github.render(buildReport('/p', []), options()), '');
  });

  it('lets no name become a command, a property or a line', () => {
    const text = formats.github.render(
      buildReport('/p', [hostileCopy()]),
      options({ path: 'a,b:c%\n::x', line: 1 }),
    );
    assert.equal(text.split('\n').length, 2);
    assert.match(text, /^::error file=a%2Cb%3Ac%25 %3A%3Ax,line=1,title=[^:,]+::/);
    assert.doesNotMatch(text.slice(0, -1), /[\u0000-\u001f]/);
    assert.match(text, /%250A/, 'a percent sign of the name stays one');
  });
});

describe('junit', () => {
  it('has a case for each copy, with counts that agree', () => {
    const text = formats.junit.render(report([accepted()]), options());
    const number = (pattern: RegExp): number => [...text.matchAll(pattern)].length;
    assert.match(text, /<testsuite name="\/p" tests="9" failures="5" errors="1" skipped="1">/);
    assert.deepEqual([/<testcase /g, /<failure /g, /<error /g, /<skipped /g].map(number), [9, 5, 1, 1]);
    assert.match(text, /<skipped message="legacy \(until 2999-01-01\)">/);
  });

  it('stays well-formed whatever the names are', () => {
    const text = formats.junit.render(buildReport(hostile, [hostileCopy()]), options());
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\u0000-\u001f\ud800-\udfff]/);
    const rest = text.replace(/<[^<>]*>/g, '');
    assert.doesNotMatch(rest, /[<>]|&(?!(amp|lt|gt|quot|apos|#10);)/);
    // Within the tags every quote belongs to an attribute.
    for (const [tag] of text.matchAll(/<[^<>]*>/g))
      assert.match(tag, /^<[?/]?[\w]+( [\w]+="[^"<&]*(&(amp|lt|gt|quot|apos|#10);[^"<&]*)*")*\s*[?/]?>$/);
  });
});

describe('the schema of the JSON report', () => {
  const schema = JSON.parse(readFileSync('schema/report.schema.json', 'utf8')) as object;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { date: /^\d{4}-\d\d-\d\d$/ } });
  const validate = ajv.compile(schema);

  it('holds for every status, and for accepted copies', () => {
    const ignores = [{ package: 'x', reason: 'r', expires: '2999-01-01', state: 'used' as const }];
    const text = formats.json.render({ ...report([accepted(), hostileCopy()]), ignores }, options());
    assert.ok(validate(JSON.parse(text)), ajv.errorsText(validate.errors));
  });

  it('holds not for another document', () => {
    const good = report();
    for (const wrong of [
      { ...good, schema: 'holdopen/report@2' },
      { ...good, more: 1 },
      { ...good, summary: {} },
      { ...good, copies: [{ ...good.copies[0], status: 'fine' }] },
      { ...good, copies: [{ ...good.copies[0], bundles: [] }] },
    ])
      assert.equal(validate(wrong), false);
  });
});
