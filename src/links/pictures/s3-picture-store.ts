import { createHash } from 'node:crypto';
import type { AwsClient } from 'aws4fetch';
import { type PictureStore, type PictureStoreSettings, PictureStoreUnavailable } from './picture-store';

/** Of a request. Tests lower it. */
export const s3Limits = { timeoutMs: 5000 };

interface ObjectRequest {
  method: 'GET' | 'PUT' | 'DELETE';
  body?: Buffer;
}

/** Stores pictures in a bucket of Amazon S3, or of a store with its API. */
export class S3PictureStore implements PictureStore {
  readonly #bucket: string;
  readonly #credentials: { accessKeyId: string; secretAccessKey: string; region: string; service: 's3' };
  #client: AwsClient | undefined;

  constructor(url: URL, region: string) {
    this.#bucket = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
    const [accessKeyId, secretAccessKey] = [url.username, url.password].map(decodeURIComponent) as [string, string];
    this.#credentials = { accessKeyId, secretAccessKey, region, service: 's3' };
  }

  async write(id: string, jpeg: Buffer): Promise<void> {
    await this.#send(id, { method: 'PUT', body: jpeg });
  }

  read(id: string): Promise<Buffer | null> {
    return this.#send(id, { method: 'GET' });
  }

  async remove(id: string): Promise<void> {
    await this.#send(id, { method: 'DELETE' });
  }

  /** Returns the body of the answer; null if the store does not have the object. */
  async #send(id: string, { method, body }: ObjectRequest): Promise<Buffer | null> {
    try {
      // Most installations do without, so the package is loaded by the first request.
      this.#client ??= new (await import('aws4fetch')).AwsClient(this.#credentials);
      const signed = await this.#client.sign(`${this.#bucket}/${id}`, {
        method,
        headers: {
          'X-Amz-Content-Sha256': createHash('sha256')
            .update(body ?? '')
            .digest('hex'),
          ...(body && { 'Content-Type': 'image/jpeg' }),
        },
      });
      const signal = AbortSignal.timeout(s3Limits.timeoutMs);
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        ...(body && { body: new Uint8Array(body) }),
        redirect: 'error',
        signal,
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.ok) return bytes;
      if (answer.status === 404 && method !== 'PUT') return null;
      throw new Error(`${method} is answered ${answer.status}: ${bytes.toString('utf8', 0, 300)}`);
    } catch (error) {
      throw new PictureStoreUnavailable(error);
    }
  }
}

/** Returns null without `PICTURES_S3_URL`: PostgreSQL stores pictures. */
export const pictureStoreOf = ({ url, region }: PictureStoreSettings): PictureStore | null =>
  url ? new S3PictureStore(url, region) : null;
