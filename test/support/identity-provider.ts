import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairSyncResult,
  randomUUID,
  sign,
} from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { freePort } from './free-port';

type Json = Record<string, unknown>;

export interface ProviderKey {
  kid: string;
  alg: string;
  privateKey: KeyObject;
  /** The published JWK. */
  jwk: Json;
}

/** Generates a key pair. `published` replaces the `use` and `alg` of its JWK. */
export function aProviderKey(alg = 'ES256', published: Json = { use: 'sig', alg }): ProviderKey {
  const kid = randomUUID();
  const { publicKey, privateKey } = keyPair(alg);
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, ...published } };
}

const asText = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
};

/**
 * Generates a key pair as text, and reads the text. On Node 20, the export of a generated key may never return. It locks the key, and
 * the garbage collector may meanwhile remove the job that has generated the key, which locks it too.
 */
function keyPair(alg: string): { publicKey: KeyObject; privateKey: KeyObject } {
  const { publicKey, privateKey } = generatedPair(alg);
  return { publicKey: createPublicKey(publicKey), privateKey: createPrivateKey(privateKey) };
}

/** The types of Node find text for some kinds of keys only. */
const generate = generateKeyPairSync as unknown as (type: string, options: object) => KeyPairSyncResult<string, string>;

function generatedPair(alg: string): KeyPairSyncResult<string, string> {
  if (/^[RP]S/.test(alg)) return generate('rsa', { modulusLength: 2048, ...asText });
  if (alg.startsWith('Ed')) return generate('ed25519', asText);
  return generate('ec', { namedCurve: { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg], ...asText });
}

/** Signs as RFC 7518, section 3.1, with OpenSSL of Node, because the tested service uses another library. */
function signature({ alg, privateKey: key }: Pick<ProviderKey, 'alg' | 'privateKey'>, input: string): Buffer {
  const hash = `sha${alg.slice(-3)}`;
  const bytes = Buffer.from(input);
  if (alg.startsWith('Ed')) return sign(null, bytes, key);
  if (alg.startsWith('ES')) return sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' });
  if (alg.startsWith('RS')) return sign(hash, bytes, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign(hash, bytes, { key, padding, saltLength: Number(alg.slice(-3)) / 8 });
}

export const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Creates a token in the compact form, signed by `by`. */
export function compact(header: unknown, claims: unknown, by: (input: string) => Buffer | string): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  const made = by(input);
  return `${input}.${typeof made === 'string' ? made : made.toString('base64url')}`;
}

export const signedBy =
  (key: Pick<ProviderKey, 'alg' | 'privateKey'>) =>
  (input: string): Buffer =>
    signature(key, input);

export const hmacWith =
  (secret: string | Buffer, hash = 'sha256') =>
  (input: string): Buffer =>
    createHmac(hash, secret).update(input).digest();

/** An identity provider on loopback. It signs any token, and its key endpoint can fail. */
export class IdentityProvider {
  readonly issuer = 'https://id.example.com/tenant';
  readonly audience = 'https://api.example.com/';
  /** The key that signs tokens. It is published. */
  key = aProviderKey();
  /** Other published keys. */
  others: ProviderKey[] = [];
  /** The number of requests for the keys. */
  asked = 0;
  /** The time of the provider in milliseconds. */
  now: () => number = () => Date.now();
  #answer: (request: IncomingMessage, response: ServerResponse) => void = this.serveKeys.bind(this);
  #server: Server;
  #port = 0;

  static async start(): Promise<IdentityProvider> {
    const provider = new IdentityProvider();
    await provider.comeBack();
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/jwks.json`;
  }

  /** The settings of a service that trusts this provider. */
  get environment(): Record<string, string> {
    return {
      DASHBOARD_JWKS_URL: this.url,
      DASHBOARD_ISSUER: this.issuer,
      DASHBOARD_AUDIENCE: this.audience,
    };
  }

  get keySet(): string {
    return JSON.stringify({ keys: [this.key, ...this.others].map(({ jwk }) => jwk) });
  }

  get header(): Json {
    return { alg: this.key.alg, typ: 'JWT', kid: this.key.kid };
  }

  /** Returns valid claims with replacements. The value undefined removes a claim. */
  claims(more: Json = {}): Json {
    const now = Math.floor(this.now() / 1000);
    return { iss: this.issuer, aud: this.audience, sub: 'ann', iat: now, exp: now + 300, ...more };
  }

  /** Returns a token of a user of the account. */
  token(accountId: string, claims: Json = {}, header: Json = {}): string {
    return compact(
      { ...this.header, ...header },
      this.claims({ account_id: accountId, ...claims }),
      signedBy(this.key),
    );
  }

  /** Replaces the signing key and returns the old one, which stays published if `keep` is set. */
  rotate({ keep = false, key = aProviderKey() } = {}): ProviderKey {
    const before = this.key;
    this.others = keep ? [...this.others, before] : this.others;
    this.key = key;
    return before;
  }

  async goDown(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Accepts requests without responding. */
  freeze(): void {
    this.#answer = () => {};
  }

  answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
    this.#answer = (_, response) => response.writeHead(status, headers).end(body);
  }

  /** Starts again and serves the keys. */
  async comeBack(): Promise<void> {
    this.#answer = this.serveKeys.bind(this);
    if (this.#server?.listening) return;
    this.#server = createServer((request, response) => {
      this.asked++;
      this.#answer(request, response);
    });
    this.#port ||= await freePort();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.goDown();
  }

  private serveKeys(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.keySet);
  }
}
