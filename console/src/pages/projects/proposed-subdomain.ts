const maxLength = 63;

/** Returns a subdomain that resembles the name of a project; empty if the name has no Latin letter and no digit. */
export const proposedSubdomain = (name: string): string =>
  name
    .normalize('NFKD')
    // An accent would become a hyphen after its letter.
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, maxLength)
    .replace(/-$/, '');
