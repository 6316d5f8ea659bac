import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { FetchImplementation, JSONWebKeySet, JWK } from 'jose';

/** The place of a JSON Web Key Set (RFC 7517) and the function that reads it for `createRemoteJWKSet`. */
export interface KeySetSource {
  url: URL;
  fetch: FetchImplementation;
}

/** Twice the size of a set of a hundred keys of 4096 bits. */
const maxKeySetBytes = 256 * 1024;

/** Follows no redirect (jose asks for `redirect: 'manual'`), because a redirect could lead anywhere. */
export const fromUrl = (url: URL): KeySetSource => ({
  url,
  fetch: async (address, options) => {
    const response = await fetch(address, options);
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`the identity provider answers ${response.status}`);
    }
    return withPublicKeys(await readText(response));
  },
});

export const fromFile = (file: string): KeySetSource => ({
  url: pathToFileURL(file),
  fetch: async (_, { signal }) => withPublicKeys(await readFile(file, { encoding: 'utf8', signal })),
});

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxKeySetBytes) throw new Error('the key set is too large');
  }
  return Buffer.concat(chunks).toString();
}

/** Members of a public key by its type (RFC 7518, section 6; RFC 8037, section 2). */
const publicMembers = new Map<unknown, (keyof JWK)[]>([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

const isPublicKey = (key: JWK | null): boolean =>
  key?.d === undefined && (publicMembers.get(key?.kty)?.every((name) => typeof key?.[name] === 'string') ?? false);

/** Drops private keys and unknown types. A set without a public key is an error, so that it does not replace a good one. */
function withPublicKeys(text: string): Response {
  const { keys } = (JSON.parse(text) ?? {}) as Partial<JSONWebKeySet>;
  const usable = (Array.isArray(keys) ? keys : []).filter(isPublicKey);
  if (usable.length === 0) throw new Error('it is no key set with a public key');
  return Response.json({ keys: usable });
}
