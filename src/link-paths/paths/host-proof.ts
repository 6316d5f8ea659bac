import { createHash } from 'node:crypto';

/** The path on which link hosts tell their project, without the leading slash. No link has a path that begins with a dot. */
export const hostProofPath = '.well-known/signpost-host';

/** Returns the answer on that path. Only those who know the project's id can make it, and it does not reveal the id. */
export const hostProofOf = (projectId: string): string =>
  createHash('sha256').update(`signpost host of ${projectId}`).digest('hex');
