import type { ReportFormat } from './format.ts';

/** One JSON document, for programs; its shape is `Report` in types.ts and changes only with its `schema`. */
export const json: ReportFormat = {
  render: (report) => `${JSON.stringify(report, null, 2)}\n`,
};
