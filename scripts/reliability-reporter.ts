// A reporter for node --test: one line of JSON for each report of a test, and nothing else.
import type { TestEvent } from 'node:test/reporters';
import { parseReport } from '../test/support/report.ts';

export default async function* reports(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const report = type === 'test:diagnostic' ? parseReport(data.message) : undefined;
    if (report) yield `${JSON.stringify(report)}\n`;
  }
}
