import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, NextFunction, RequestHandler, Response } from 'express';
import type { ApiRequest } from './api-request';
import { PathTable } from './path-table';

type Middleware = (request: ApiRequest, response: Response, next: NextFunction) => void;

/** Segments of letters, digits, hyphens and the like, and parameters. */
const plainTemplate = /^(?:\/(?:[\w.~-]+|:\w+))+\/?$/;

/**
 * Calls the handlers that Nest registers, by a table. Express tries all routes in turn, with a regular expression each. The table
 * has only what it and Express understand in the same way. All other requests go to Express, which has every route too.
 */
export class DirectRoutes {
  readonly #methods = new Map<string, PathTable<RequestHandler>>();
  readonly #first: Middleware[] = [];
  #isOpen = true;

  constructor(private readonly express: Express) {}

  /** Adds a handler for requests that run before routing, in the order of the calls. */
  runFirst(middleware: Middleware): void {
    this.#first.push(middleware);
  }

  add(method: string, path: string, handler: RequestHandler): void {
    if (!plainTemplate.test(path)) this.close();
    if (!this.#isOpen) return;
    let table = this.#methods.get(method);
    if (!table) this.#methods.set(method, (table = new PathTable()));
    table.add(path, () => handler);
  }

  /** Adds no more routes, because a route with wild cards or for all methods comes before them. */
  close(): void {
    this.#isOpen = false;
  }

  /** Sends all requests through Express, because middleware is registered there. */
  disable(): void {
    this.close();
    this.#methods.clear();
  }

  /** Handles the server's `request` event. */
  readonly listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const request = incoming as ApiRequest;
    const response = outgoing as Response;
    request.res = response;
    // Express would answer a target without a path with an HTML page, and before all of the middleware.
    if (!hasPath(request)) request.url = '/*';
    this.#run(0, request, response);
  };

  #run(at: number, request: ApiRequest, response: Response): void {
    const middleware = this.#first[at];
    if (middleware) middleware(request, response, () => this.#run(at + 1, request, response));
    else this.#route(request, response);
  }

  #route(request: ApiRequest, response: Response): void {
    const { path } = request;
    // Express decodes parameters.
    const match = path.includes('%') ? undefined : this.#methods.get(request.method)?.find(path);
    if (!match) return void this.express(request, response);
    const { template, params, value: handler } = match;
    Object.assign(request, { params, route: { path: template }, baseUrl: '', originalUrl: request.url });
    const next: NextFunction = () => void this.express(request, response);
    // A handler of Nest passes errors to the filter. Only an error of the filter itself remains.
    Promise.resolve(handler(request, response, next)).catch(() => response.destroy());
  }
}

/** Returns whether the target has a path. One in absolute form may be malformed. */
function hasPath(request: ApiRequest): boolean {
  if (request.url.startsWith('/')) return true;
  try {
    return typeof request.path === 'string';
  } catch {
    return false;
  }
}
