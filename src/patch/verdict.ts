import type { BundleReport } from '../types.ts';

/** What is known of one bundle from its text alone. */
export type Inspection = Omit<BundleReport, 'file' | 'sha256'>;

/** Status and reasons, and nothing of what a bound class would say. */
export function verdictAlone({ status, reasons }: Pick<Inspection, 'status' | 'reasons'>): Inspection {
  return {
    status,
    reasons,
    family: null,
    known: false,
    since: null,
    needs: [],
    sites: 0,
    fingerprints: null,
  };
}
