import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostProofOf } from '../../link-paths/paths/host-proof';
import { namesTag } from '../../shared/entity-tag';
import type { CachedProject, SentFile } from '../resolving/cached-models';
import { flushResponses } from './flush-responses';

/**
 * Sends an association file (docs/contract-link-traffic.md, “Association files”). Apple and Google require this exact media type
 * and no redirect.
 */
export function sendAssociationFile(
  request: IncomingMessage,
  response: ServerResponse,
  { content, tag }: SentFile,
  requestId: string,
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
export function sendHostProof(
  request: IncomingMessage,
  response: ServerResponse,
  { id }: CachedProject,
  requestId: string,
): 'host-proof' {
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
