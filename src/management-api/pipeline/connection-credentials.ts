import type { Socket } from 'node:net';
import type { ApiRequest } from './api-request';

interface Credential {
  /** The secret of `Authorization: Bearer`; undefined without one. */
  secret: string | undefined;
  /** The digest of an API key; null for other secrets, such as tokens. */
  digest: string | null;
}

const noCredential: Credential = { secret: undefined, digest: null };

/**
 * Reads the credential of a request. It keeps the last one of each connection, because a client sends the same key again and its
 * digest takes longer than a comparison. Nothing is kept beyond the connection.
 */
export class ConnectionCredentials {
  readonly #last = new WeakMap<Socket, { header: string; credential: Credential }>();

  of(request: ApiRequest, digestOf: (secret: string) => string | null): Credential {
    const header = onlyAuthorization(request);
    const last = this.#last.get(request.socket);
    if (last?.header === header) return last.credential;
    const [, secret] = /^Bearer +(\S+)$/i.exec(header) ?? [];
    const credential = secret === undefined ? noCredential : { secret, digest: digestOf(secret) };
    this.#last.set(request.socket, { header, credential });
    return credential;
  }
}

/** Ignores several Authorization fields, because Node keeps the first and a proxy may have read another. */
function onlyAuthorization({ headers, rawHeaders }: ApiRequest): string {
  let fields = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') fields++;
  }
  return fields === 1 ? (headers.authorization ?? '') : '';
}
