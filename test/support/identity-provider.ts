import { constants, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

export interface ProviderKey {
  kid: string;
  alg: string;
  privateKey: KeyObject;
  /** As it is published. */
  jwk: Json;
}

/** A new key pair, published with `use` and `alg` unless told otherwise. */
export function aProviderKey(alg = 'ES256', published: Json = { use: 'sig', alg }): ProviderKey {
  const kid = randomUUID();
  const { publicKey, privateKey } = keyPair(alg);
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, ...published } };
}

function keyPair(alg: string): { publicKey: KeyObject; privateKey: KeyObject } {
  if (/^[RP]S/.test(alg)) return generateKeyPairSync('rsa', { modulusLength: 2048 });
  if (alg.startsWith('Ed')) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[alg]! });
}

/** The signature of RFC 7518, section 3.1, by Node's own OpenSSL: the service under test has another library. */
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

/** A token in the compact form, signed by whatever is given. */
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

/** An identity provider of the test's own, on loopback. It signs whatever it is asked to, and serves its keys as it likes. */
export class IdentityProvider {
  readonly issuer = 'https://id.example.com/tenant';
  readonly audience = 'https://api.example.com/';
  /** Signs, and is published. */
  key = aProviderKey();
  /** Others that are published. */
  others: ProviderKey[] = [];
  /** How often the keys were asked for. */
  asked = 0;
  /** What the clock of the provider says, in milliseconds. */
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

  /** The settings of a service that trusts it. */
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

  /** What a good token says; undefined takes a claim away. */
  claims(more: Json = {}): Json {
    const now = Math.floor(this.now() / 1000);
    return { iss: this.issuer, aud: this.audience, sub: 'ann', iat: now, exp: now + 300, ...more };
  }

  /** A token of somebody of the account. */
  token(accountId: string, claims: Json = {}, header: Json = {}): string {
    return compact(
      { ...this.header, ...header },
      this.claims({ account_id: accountId, ...claims }),
      signedBy(this.key),
    );
  }

  /** From now on another key signs. The one before stays published if told. */
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

  /** Takes connections and requests, and never answers. */
  freeze(): void {
    this.#answer = () => {};
  }

  answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
    this.#answer = (_, response) => response.writeHead(status, headers).end(body);
  }

  /** Up again, and well. */
  async comeBack(): Promise<void> {
    this.#answer = this.serveKeys.bind(this);
    if (this.#server?.listening) return;
    this.#server = createServer((request, response) => {
      this.asked++;
      this.#answer(request, response);
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (this.#server.listening) await this.goDown();
  }

  private serveKeys(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(this.keySet);
  }
}
