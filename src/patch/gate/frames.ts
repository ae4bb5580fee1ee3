/** A stream-json frame; only the fields that the gate looks at, none of them trusted. */
export interface Frame {
  type?: string;
  subtype?: string;
  [key: string]: unknown;
}

/** A number as id is an id as well. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

export const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(record) : [];

/** Keeps the newest entries only: what is older no longer matters, and a session may live for days. */
export function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > 512) map.delete(map.keys().next().value as string);
}
