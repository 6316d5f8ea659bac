/** Characters of a UUID. */
const idLength = 36;

/** As announcements name paths. */
export const keyOf = (projectId: string, path: string): string => `${projectId}/${path}`;

export const projectIdOf = (key: string): string => key.slice(0, idLength);

export const pathOf = (key: string): string => key.slice(idLength + 1);
