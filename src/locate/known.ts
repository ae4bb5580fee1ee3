/** Whether the catalogue holds these very bytes as a released bundle. */
export function isKnownBundle(sha256: string): boolean {
  return KNOWN.has(sha256.slice(0, 16));
}

const KNOWN: ReadonlySet<string> = new Set<string>();
