import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

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
