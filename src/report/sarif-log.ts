import type { Log, ReportingDescriptor, Result } from 'sarif';

/**
 * A SARIF 2.1.0 file of one run.
 * @param version of holdopen
 */
export function sarifLog(version: string, rules: ReportingDescriptor[], results: Result[]): string {
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'holdopen', version, rules } }, results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}
