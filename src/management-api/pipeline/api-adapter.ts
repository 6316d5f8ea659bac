import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Request, Response } from 'express';
import { namesTag, tagOf } from '../../shared/entity-tag';
import { maxUploadMs } from '../../platform/http/request-timeout';
import { serverLimits } from '../../platform/http/server-limits';
import { defaultCacheControl } from './before-routing';

/** Extends Nest's adapter by the limits of the server, and by `ETag` and `Location` of a resource. */
export class ApiAdapter extends ExpressAdapter {
  constructor(
    private readonly express: Express,
    private readonly apiBaseUrl: URL,
  ) {
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
   * no tag. A resource that a POST to its collection has created gets a `Location`.
   */
  override reply(response: Response, body: unknown, statusCode = response.statusCode): unknown {
    if (statusCode === 201 && !response.hasHeader('Location'))
      response.setHeader('Location', new URL(pathOfNew(response.req, body), this.apiBaseUrl).href);
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

/** Returns the path of a new resource in the collection of the route. Ids in paths are case-insensitive. */
function pathOfNew({ route, params }: Request, body: unknown): string {
  const { path } = route as { path: string };
  const collection = path.replace(/:(\w+)/g, (_, name: string) => String(params[name]).toLowerCase());
  return `${collection}/${(body as { data: { id: string } }).data.id}`;
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

/**
 * Returns classes of requests and responses that have Express's properties from the start. Express would change the prototype of
 * both objects of every request, after which V8 reads all their properties more slowly.
 */
export function expressClasses(app: Express) {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  // The prototypes that Express sets. Setting the same one again does nothing.
  Object.assign(app, { request: ExpressRequest.prototype, response: ExpressResponse.prototype });
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}
