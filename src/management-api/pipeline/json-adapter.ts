import { createServer } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, RequestHandler, Response } from 'express';
import { namesTag, tagOf } from '../../shared/entity-tag';
import { maxUploadMs } from '../../platform/http/request-timeout';
import { serverLimits } from '../../platform/http/server-limits';
import { defaultCacheControl } from './before-routing';
import { DirectRoutes } from './direct-routes';
import { expressClasses } from './express-classes';

/** Tells `{ "data": {…} }` from a list. */
const isOneResource = (body: object): boolean => {
  const { data } = body as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data);
};

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns whether a response gets the tag of its content. An update whose response differs from a GET has set the tag of that. */
const isTagged = (response: Response): boolean =>
  isRead(response.req.method)
    ? response.getHeader('Cache-Control') === defaultCacheControl
    : response.req.method === 'PUT' && !response.hasHeader('ETag');

/**
 * Writes a JSON response in one piece. Adds an `ETag` to a GET or PUT of one resource, for revalidation and `If-Match`. A
 * GET response with its own `Cache-Control` gets no tag.
 *
 * Express's `json` is not used, because it computes a tag and freshness that most of these responses never have.
 * Measured: 8 % of a request.
 */
export class JsonAdapter extends ExpressAdapter {
  readonly #direct: DirectRoutes;

  constructor(private readonly express: Express) {
    super(express);
    this.#direct = new DirectRoutes(express);
  }

  /** Creates the server here, because Nest passes no options to a plain HTTP server. */
  override initHttpServer(): void {
    const limits = { ...serverLimits, requestTimeout: maxUploadMs };
    this.httpServer = createServer({ ...limits, ...expressClasses(this.express) }, this.#direct.listener);
  }

  /** Adds a handler for requests that run before routing. */
  runFirst(middleware: Parameters<DirectRoutes['runFirst']>[0]): void {
    this.#direct.runFirst(middleware);
  }

  override get(...route: unknown[]): unknown {
    return super.get(...this.#recorded('GET', route));
  }

  override post(...route: unknown[]): unknown {
    return super.post(...this.#recorded('POST', route));
  }

  override put(...route: unknown[]): unknown {
    return super.put(...this.#recorded('PUT', route));
  }

  override delete(...route: unknown[]): unknown {
    return super.delete(...this.#recorded('DELETE', route));
  }

  override all(...route: unknown[]): unknown {
    this.#direct.close();
    return super.all(...(route as [never, never]));
  }

  /** Adds a route that Nest registers to the table before Express, and returns it. */
  #recorded(method: string, route: unknown[]): [path: never, handler: never] {
    const [path, handler] = route as [string, RequestHandler];
    if (typeof path === 'string' && typeof handler === 'function') this.#direct.add(method, path, handler);
    return [path, handler] as [never, never];
  }

  /** Switches direct routes off, because Nest asks for this before it registers middleware, which they would skip. */
  override createMiddlewareFactory(...given: Parameters<ExpressAdapter['createMiddlewareFactory']>) {
    this.#direct.disable();
    return super.createMiddlewareFactory(...given);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile)
      return super.reply(response, body, statusCode);
    const json = JSON.stringify(body);
    if (statusCode !== undefined) response.statusCode = statusCode;
    if (isOneResource(body) && response.statusCode === 200 && isTagged(response)) {
      const tag = tagOf(json);
      response.setHeader('ETag', tag);
      if (isRead(response.req.method) && namesTag(response.req.headers['if-none-match'], tag)) {
        response.statusCode = 304;
        return response.end();
      }
    }
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(json));
    return response.end(json);
  }
}
