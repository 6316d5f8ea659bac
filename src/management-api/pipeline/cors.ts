import type { NextFunction, Request, Response } from 'express';

/** Request headers that the API reads and that a page may not send unasked. */
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Request-Id',
  'traceparent',
  'tracestate',
].join(', ');

/** Response headers that pages may read (docs/contract.md, “Browsers of other origins”). */
const exposedHeaders = [
  'Broken-App-Versions',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
].join(', ');

/** Seconds that a browser keeps the answer to a preflight. Chromium keeps none longer. */
const preflightMaxAgeSeconds = 7200;

/** Operations of publishable keys. A preflight has no key, so the request itself is refused from other origins. */
const publishablePath = /^\/api\/v1\/projects\/[^/]+\/(?:links|short-links|conversions)$/;

export function permitOrigin(response: Response, origin: string): void {
  response.vary('Origin');
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
}

const isInApi = (path: string): boolean => path === '/api/v1' || path.startsWith('/api/v1/');

/**
 * Lets pages of the given origins call the API (Fetch Standard, “HTTP extensions”). It answers preflights before authentication
 * and before they count, because browsers send them without a credential. A page of another origin gets no permission, so that
 * its browser keeps the answer from it. Credentials mode is never allowed, because the API reads no cookies.
 *
 * @param origins as browsers send them in `Origin`
 */
export function allowOrigins(origins: readonly string[]) {
  const allowed: ReadonlySet<string> = new Set(origins);
  return (request: Request, response: Response, next: NextFunction): void => {
    const isPublishable = publishablePath.test(request.path);
    if (!isInApi(request.path) || (allowed.size === 0 && !isPublishable)) return next();
    const { origin, 'access-control-request-method': requestMethod } = request.headers;
    response.vary('Origin');
    const isPreflight = request.method === 'OPTIONS' && origin !== undefined && requestMethod !== undefined;
    const isOfPublishable = isPreflight && isPublishable && requestMethod === 'POST';
    const isAllowed = origin !== undefined && (allowed.has(origin) || isOfPublishable);
    if (isAllowed) response.setHeader('Access-Control-Allow-Origin', origin);
    if (!isPreflight) {
      if (isAllowed) response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
      return next();
    }
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE');
      response.setHeader('Access-Control-Allow-Headers', requestHeaders);
      response.setHeader('Access-Control-Max-Age', preflightMaxAgeSeconds);
    }
    response.writeHead(204).end();
  };
}
