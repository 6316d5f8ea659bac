/** Splits a list of texts without white space. */
export const words = (list: string): string[] => list.trim().split(/\s+/);
