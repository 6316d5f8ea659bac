/** Returns the form in which bundle ids are compared, because a project has each one once without regard to letter case. */
export const foldBundleId = (id: string): string => id.toLowerCase();
