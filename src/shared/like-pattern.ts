export const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`;
