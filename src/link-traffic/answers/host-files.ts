import { hostProofOf } from '../../link-paths/paths/host-proof';
import { namesTag } from '../../shared/entity-tag';
import type { Exchange } from '../exchange';
import type { CachedProject } from '../resolving/cached-models';
import type { SentFile } from './association-file-cache';
import { flushResponses } from './flush-responses';

/** The association files by the paths at which phones ask for them. */
export const associationFiles: ReadonlyMap<string, 'appleFile' | 'androidFile'> = new Map([
  ['apple-app-site-association', 'appleFile'],
  ['.well-known/apple-app-site-association', 'appleFile'],
  ['.well-known/assetlinks.json', 'androidFile'],
]);

/**
 * Sends an association file (docs/contract-link-traffic.md, “Association files”). Apple and Google require this exact media type
 * and no redirect.
 */
export function sendAssociationFile(
  { request, response, requestId }: Exchange,
  { content, tag }: SentFile,
): 'association-file' {
  const headers = ['X-Request-Id', requestId, 'ETag', tag, 'Cache-Control', 'public, max-age=300'];
  if (namesTag(request.headers['if-none-match'], tag)) {
    response.writeHead(304, headers);
    flushResponses(response);
    return 'association-file';
  }
  response.writeHead(200, [
    ...headers,
    'Content-Type',
    'application/json',
    'Content-Length',
    `${content.length}`,
    'X-Content-Type-Options',
    'nosniff',
  ]);
  flushResponses(response, request.method === 'HEAD' ? undefined : content);
  return 'association-file';
}

/** Tells the service that a custom domain leads to it. */
export function sendHostProof({ request, response, requestId }: Exchange, { id }: CachedProject): 'host-proof' {
  const proof = hostProofOf(id);
  response.writeHead(200, {
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'Content-Type': 'text/plain',
    'Content-Length': proof.length,
    'X-Content-Type-Options': 'nosniff',
  });
  flushResponses(response, request.method === 'HEAD' ? undefined : proof);
  return 'host-proof';
}
