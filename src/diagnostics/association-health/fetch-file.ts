import { request } from 'node:https';
import { isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FetchedFile } from './fetched-file';

/** Where and how much. */
export interface WantedFile {
  url: URL;
  /** Connected to, whatever the name of the host means by then. */
  addresses: readonly string[];
  /** Bytes; of a larger file nothing is kept. */
  most: number;
  /** Certificates of authorities, instead of those that Node knows. */
  authorities?: string | undefined;
}

/**
 * Milliseconds for each address but the last. Node's 250 are too few for a host that is far away: what is left of it then is
 * often an IPv6 address, which many clusters have no way to. Four addresses leave the last one two of five seconds.
 */
const connectOptions = {
  autoSelectFamilyAttemptTimeout: 1000,
} as const satisfies Partial<TcpSocketConnectOpts>;

/**
 * Fetches a file as phones do: over HTTPS, with a certificate that holds, without following redirects. It looks no name up, so
 * that nothing but the given addresses is reached. It never throws.
 */
export function fetchFile(
  { url, addresses, most, authorities }: WantedFile,
  signal: AbortSignal,
): Promise<FetchedFile> {
  return new Promise((resolve) => {
    let at: 'connection' | 'certificate' | 'answer' = 'connection';
    const fail = (error?: NodeJS.ErrnoException): void => resolve({ kind: 'failed', at, code: error?.code });
    // All that is heard of an answer 101, which was not asked for: neither a response nor an error.
    const end = (): void => fail();
    const asked = request(
      url,
      {
        // A connection of its own: one that is kept has been checked for somebody else.
        agent: false,
        lookup: only(addresses),
        ...connectOptions,
        ca: authorities,
        signal,
        headers: { 'User-Agent': 'Signpost association check', Accept: '*/*', 'Accept-Encoding': 'identity' },
      },
      (response) => {
        // The request closes with the connection, and what has come through it may still be read then.
        asked.off('close', end);
        response.on('close', end);
        const answered = {
          kind: 'answered' as const,
          status: response.statusCode!,
          contentType: response.headers['content-type'] ?? null,
          certificateExpires: expiryOf(response.socket as TLSSocket),
        };
        const keepNothing = (): void => {
          resolve({ ...answered, body: null });
          response.destroy();
        };
        if (answered.status !== 200) return keepNothing();
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > most) return keepNothing();
          chunks.push(chunk);
        });
        response.on('end', () => resolve({ ...answered, body: Buffer.concat(chunks).toString('utf8') }));
        response.on('error', fail);
      },
    );
    asked.on('socket', (socket) => {
      socket.once('connect', () => (at = 'certificate'));
      socket.once('secureConnect', () => (at = 'answer'));
    });
    asked.on('error', fail);
    asked.on('close', end);
    asked.end();
  });
}

const only =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, answer) => {
    const known = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (options.all) return answer(null, known);
    answer(null, known[0]!.address, known[0]!.family);
  };

function expiryOf(socket: TLSSocket): Date | null {
  const { valid_to: until } = socket.getPeerCertificate();
  const date = new Date(until);
  return Number.isNaN(date.getTime()) ? null : date;
}
