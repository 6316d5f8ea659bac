/** An `ILIKE` pattern that finds `search` as a substring: `%`, `_` and `\` are ordinary characters. */
export const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
