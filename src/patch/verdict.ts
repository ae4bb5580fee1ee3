import type { Family, Fingerprints, Reason, Status } from '../types.ts';

/** What is known of one bundle. */
export interface Inspection {
  status: Status;
  family: Family | null;
  known: boolean;
  since: string | null;
  needs: string[];
  sites: number;
  reasons: Reason[];
  fingerprints: Fingerprints | null;
}

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
