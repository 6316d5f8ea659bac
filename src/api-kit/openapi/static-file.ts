import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { loadedOnce } from '../../shared/loaded-once';
import { namesTag, tagOf } from '../../shared/entity-tag';

interface Representation {
  body: Buffer;
  tag: string;
}

const compress = promisify(gzip);

/** A file in memory, plain and compressed. All responses share its bytes. */
export class StaticFile {
  readonly #plain: Representation;
  readonly #compressed = loadedOnce(async () => representationOf(await compress(this.#plain.body, { level: 9 })));

  constructor(
    private readonly mediaType: string,
    content: string | Buffer,
    private readonly cacheControl: string,
  ) {
    this.#plain = representationOf(Buffer.from(content));
  }

  get tag(): string {
    return this.#plain.tag;
  }

  async send(request: Request, response: Response): Promise<void> {
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    const { body, tag } = isCompressed ? await this.#compressed() : this.#plain;
    response.setHeader('ETag', tag);
    response.setHeader('Cache-Control', this.cacheControl);
    response.vary('Accept-Encoding');
    if (namesTag(request.headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', this.mediaType);
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}

const representationOf = (body: Buffer): Representation => ({ body, tag: tagOf(body) });
