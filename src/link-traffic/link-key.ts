/** The length of a UUID. */
const idChars = 36;

/** Returns the cache key of a link; change notifications use the same format. */
export const keyOf = (projectId: string, path: string): string => `${projectId}/${path}`;

export const projectIdOf = (key: string): string => key.slice(0, idChars);

export const pathOf = (key: string): string => key.slice(idChars + 1);
