import type { DynamicLinkWithApps } from '../index.js';
import { type Connection, isUuid } from './connection.js';
import { UsageFailure } from './failures.js';

export const namedLinkHelp = 'LINK is the id of a link, or external:ID for the link that has the external id.';

const prefix = 'external:';

/** @throws UsageFailure if the name has neither form; Refused if the project has no such link */
export async function readNamedLink(service: Connection, name: string): Promise<DynamicLinkWithApps> {
  const { client } = service;
  if (name.startsWith(prefix)) {
    const path = { ...service.path, externalId: requireSegment(name.slice(prefix.length)) };
    const route = '/projects/{projectId}/links/by-external-id/{externalId}';
    return (await service.send(() => client.GET(route, { params: { path } }))).data;
  }
  const path = { ...service.path, linkId: requireUuid(name) };
  return (await service.send(() => client.GET('/projects/{projectId}/links/{linkId}', { params: { path } }))).data;
}

/** Returns the id of a link. Only an external id is looked up. */
export async function idOfNamedLink(service: Connection, name: string): Promise<string> {
  return name.startsWith(prefix) ? (await readNamedLink(service, name)).id : requireUuid(name);
}

/** URLs lose the segments `.` and `..`, so that the request would be another one. */
function requireSegment(externalId: string): string {
  if (['', '.', '..'].includes(externalId))
    throw new UsageFailure(`No link has the external id ${JSON.stringify(externalId)}.`);
  return externalId;
}

function requireUuid(name: string): string {
  if (!isUuid(name))
    throw new UsageFailure(`${JSON.stringify(name)} must be the id of a link, or ${prefix}ID for an external id.`);
  return name;
}
