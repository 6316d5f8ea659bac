const flags = new Map([
  ...['true', 't', 'yes', 'y', '1', 'on'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', 'off'].map((word) => [word, false] as const),
]);

/** Reads a flag of JSON or CSV, in any letter case; returns null for other values. */
export function foldedFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return flags.get(String(value).trim().toLowerCase()) ?? null;
}
