import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { CurrentLink } from './apply-plan.js';
import type { Connection } from './connection.js';
import { Refused, Unreachable, reasonOf } from './failures.js';
import { linesOf } from './lines.js';

/** Links that are read one by one. More of them take one export, because each read counts for the rate limit. */
const maxSingleReads = 20;

/** Reads the links of the project that have these external ids, and with `isPruned` all others of the scope. */
export async function readCurrentLinks(
  service: Connection,
  externalIds: ReadonlySet<string>,
  { scope, isPruned }: { scope: string; isPruned: boolean },
): Promise<CurrentLink[]> {
  if (!isPruned && externalIds.size <= maxSingleReads) return readOneByOne(service, externalIds);
  const { client, path, send } = service;
  const params = { path, query: { format: 'ndjson' } } as const;
  const body = await send(() => client.GET('/projects/{projectId}/links/export', { params, parseAs: 'stream' }));
  const links: CurrentLink[] = [];
  try {
    for await (const { text } of linesOf(Readable.fromWeb(body as unknown as ReadableStream))) {
      const link = JSON.parse(text) as CurrentLink;
      const { external_id: externalId } = link;
      if (externalId !== null && (externalIds.has(externalId) || (isPruned && externalId.startsWith(scope))))
        links.push(link);
    }
  } catch (error) {
    // A part of the links would make a plan that creates the others.
    throw new Unreachable(`The connection closed before all links were read: ${reasonOf(error)}`);
  }
  return links;
}

async function readOneByOne(
  { client, path, send }: Connection,
  externalIds: ReadonlySet<string>,
): Promise<CurrentLink[]> {
  const links: CurrentLink[] = [];
  let isMissing = false;
  for (const externalId of externalIds) {
    const params = { path: { ...path, externalId } };
    try {
      links.push(
        (await send(() => client.GET('/projects/{projectId}/links/by-external-id/{externalId}', { params }))).data,
      );
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'NOT_FOUND')) throw error;
      isMissing = true;
    }
  }
  // A project that does not exist has the same code.
  if (isMissing) await send(() => client.GET('/projects/{projectId}', { params: { path } }));
  return links;
}
