import { createServer } from 'node:http';
import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { namesTag, tagOf } from '../../shared/entity-tag';
import { serverLimits } from '../../platform/http/server-limits';

/** Tells `{ "data": {…} }` from a list. */
const isOneResource = (body: object): boolean => {
  const { data } = body as { data?: unknown };
  return typeof data === 'object' && data !== null && !Array.isArray(data);
};

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns whether a response gets the tag of its content. An update whose response differs from a GET has set the tag of that. */
const isTagged = (response: Response): boolean =>
  isRead(response.req.method)
    ? !response.hasHeader('Cache-Control')
    : response.req.method === 'PUT' && !response.hasHeader('ETag');

/**
 * Writes a JSON response in one piece. Adds an `ETag` to a GET or PUT of one resource, for revalidation and `If-Match`; a
 * GET response with `Cache-Control` gets no tag.
 *
 * Express's `json` is not used, because it computes a tag and freshness that most of these responses never have.
 * Measured: 8 % of a request.
 */
export class JsonAdapter extends ExpressAdapter {
  /** Creates the server here, because Nest passes no options to a plain HTTP server. */
  override initHttpServer(): void {
    this.httpServer = createServer(serverLimits, this.getInstance());
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
