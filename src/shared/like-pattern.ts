/** Returns an `ILIKE` pattern that finds `search` as a substring; `%`, `_` and `\` are escaped. */
export const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
