import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { endServer, listenOnLoopback } from './loopback';

const accessKey = 'AKIDEXAMPLE';
/** With characters of keys that URLs encode. */
const secret = 'wJalr/XUtnFEMI+K7MDENG';

/** A stand-in for a store with the API of Amazon S3. It refuses requests without the signature of the key. */
export class ObjectStore {
  readonly objects = new Map<string, Buffer>();
  /** Methods and paths of all requests. */
  readonly requests: string[] = [];
  /** The status of the next requests; 0 sends no answer; null works. */
  fault: number | null = null;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #port = 0;

  static async start(): Promise<ObjectStore> {
    const store = new ObjectStore();
    store.#port = await listenOnLoopback(store.#server);
    return store;
  }

  /** The value of PICTURES_S3_URL. */
  get url(): string {
    return `http://${accessKey}:${encodeURIComponent(secret)}@127.0.0.1:${this.#port}/bucket/pictures`;
  }

  stop(): Promise<void> {
    return endServer(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    this.requests.push(`${method} ${url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (this.fault === 0) return;
    const status = this.fault ?? (isSigned(request, body) ? null : 403);
    if (status !== null) return void response.writeHead(status).end('<Error><Code>Fault</Code></Error>');
    if (method === 'PUT') this.objects.set(url, body);
    if (method === 'DELETE') this.objects.delete(url);
    const found = method === 'GET' ? this.objects.get(url) : undefined;
    if (method === 'GET' && !found) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    response.writeHead(method === 'DELETE' ? 204 : 200).end(found);
  }
}

const signedHeaders = ['host', 'x-amz-content-sha256', 'x-amz-date'];

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Whether the request has the Signature Version 4 of the key for the region `eu-central-1` (Amazon S3 API Reference, “Authenticating Requests”). */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const time = String(headers['x-amz-date']);
  const scope = [time.slice(0, 8), 'eu-central-1', 's3', 'aws4_request'];
  const request = [
    method,
    url,
    '',
    ...signedHeaders.map((name) => `${name}:${String(headers[name])}`),
    '',
    signedHeaders.join(';'),
    sha256(body),
  ];
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(request.join('\n'))].join('\n');
  const key = scope.reduce<string | Buffer>((earlier, part) => hmac(earlier, part), `AWS4${secret}`);
  return (
    headers.authorization ===
    `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope.join('/')}, SignedHeaders=${signedHeaders.join(';')}, Signature=${hmac(key, text).toString('hex')}`
  );
}
