import { readPage } from './pages';

const [, role, grants] = /^(CREATE ROLE signpost_eu.*;)\n([^`]+)/m.exec(readPage('docs/operating/regions.md'))!;

/** The commands of docs/operating/regions.md that give the processes of a region their rights in the primary. */
export const documentedRights = { role: role!, grants: grants! };
