import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { namesTag, tagOf } from '../../shared/entity-tag';
import { maxUploadMs } from '../../platform/http/request-timeout';
import { serverLimits } from '../../platform/http/server-limits';
import { defaultCacheControl } from './before-routing';
import { expressClasses } from './express-classes';

/** Extends Nest's adapter by the limits of the server and the `ETag` of a resource. */
export class ApiAdapter extends ExpressAdapter {
  constructor(private readonly express: Express) {
    super(express);
    // `reply` compares tags. Express would do so for each response, and would answer lists with 304.
    Object.defineProperty(express.request, 'fresh', { value: false });
  }

  /** Creates the server here, because Nest passes no options to a plain HTTP server. */
  override initHttpServer(): void {
    const options = { ...serverLimits, requestTimeout: maxUploadMs, ...expressClasses(this.express) };
    this.httpServer = createServer(options, (request: IncomingMessage, response: ServerResponse) => {
      // Express would answer a target without a path with an HTML page, and before all middleware.
      if (!hasPath(request)) request.url = '/*';
      this.express(request, response);
    });
  }

  /**
   * Adds an `ETag` to a GET or PUT of one resource, for revalidation and `If-Match`. A GET response with its own `Cache-Control` gets
   * no tag.
   */
  override reply(response: Response, body: unknown, statusCode = response.statusCode): unknown {
    if (statusCode !== 200 || !isOneResource(body) || !isTagged(response))
      return super.reply(response, body, statusCode);
    const json = JSON.stringify(body);
    const tag = tagOf(json);
    response.setHeader('ETag', tag);
    const { method, headers } = response.req;
    if (isRead(method) && namesTag(headers['if-none-match'], tag)) return response.status(304).end();
    return super.reply(response.type('json'), json, statusCode);
  }
}

/** Tells `{ "data": {…} }` from a list. */
function isOneResource(body: unknown): boolean {
  const { data } = (body ?? {}) as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns whether a response gets the tag of its content. An update whose response differs from a GET has set the tag of that. */
const isTagged = (response: Response): boolean =>
  isRead(response.req.method)
    ? response.getHeader('Cache-Control') === defaultCacheControl
    : response.req.method === 'PUT' && !response.hasHeader('ETag');

/** Returns whether the target has a path. `OPTIONS *` has none, and one in absolute form may be malformed. */
function hasPath(request: IncomingMessage & { path?: string }): boolean {
  try {
    return request.path?.startsWith('/') ?? false;
  } catch {
    return false;
  }
}
