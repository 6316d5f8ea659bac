import { request } from 'node:https';
import { isIPv6, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { AnsweredFile, FetchedFile } from './fetched-file';
import { beginsOtherwise, isSameJson } from './same-json';

export interface WantedFile {
  url: URL;
  /** The addresses to connect to; the host name is not resolved again. */
  addresses: readonly string[];
  /** The expected content, written by `JSON.stringify`. */
  json: string;
  /** Larger files are not read to their end. */
  maxBytes: number;
  /** Replaces the CA certificates of Node. */
  caCertificates?: string | undefined;
}

/**
 * The timeout of each connection attempt except the last, in milliseconds. Node's default of 250 is too short for distant hosts,
 * and the remaining address is often IPv6, which many clusters cannot reach. With four addresses the last one gets two of
 * five seconds.
 */
const connectOptions = {
  autoSelectFamilyAttemptTimeout: 1000,
} as const satisfies Partial<TcpSocketConnectOpts>;

/**
 * Fetches a file as phones do: over HTTPS, with a valid certificate, without following redirects. It connects only to the given
 * addresses and resolves no name. It never rejects.
 */
export function fetchFile(
  { url, addresses, json, maxBytes, caCertificates }: WantedFile,
  signal: AbortSignal,
): Promise<FetchedFile> {
  return new Promise((resolve) => {
    let stage: 'connection' | 'certificate' | 'answer' = 'connection';
    const fail = (error?: NodeJS.ErrnoException): void => resolve({ kind: 'failed', stage, code: error?.code });
    // After an unrequested status 101, `close` is the only event.
    const end = (): void => fail();
    const outgoing = request(
      url,
      {
        // A new connection, because a reused one was verified for another host.
        agent: false,
        lookup: lookupIn(addresses),
        ...connectOptions,
        ca: caCertificates,
        signal,
        headers: { 'User-Agent': 'Signpost association check', Accept: '*/*', 'Accept-Encoding': 'identity' },
      },
      (response) => {
        // The request closes with the connection, while the response may still be readable.
        outgoing.off('close', end);
        response.on('close', end);
        const answered = {
          kind: 'answered' as const,
          status: response.statusCode!,
          contentType: response.headers['content-type'] ?? null,
          certificateExpires: expiryOf(response.socket as TLSSocket),
        };
        const stopWith = (content: AnsweredFile['content']): void => {
          resolve({ ...answered, content, bytes: null });
          response.destroy();
        };
        if (answered.status !== 200) return stopWith(null);
        if (Number(response.headers['content-length']) > maxBytes) return stopWith('too_large');
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes) return stopWith('too_large');
          chunks.push(chunk);
          // The rest would only cost time.
          if (beginsOtherwise(chunks[0]!, json)) stopWith('different');
        });
        response.on('end', () =>
          resolve({ ...answered, content: isSameJson(Buffer.concat(chunks), json) ? 'same' : 'different', bytes }),
        );
        response.on('error', fail);
      },
    );
    outgoing.on('socket', (socket) => {
      socket.once('connect', () => (stage = 'certificate'));
      socket.once('secureConnect', () => (stage = 'answer'));
    });
    outgoing.on('error', fail);
    outgoing.on('close', end);
    outgoing.end();
  });
}

const lookupIn =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, options, callback) => {
    const records = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (options.all) return callback(null, records);
    callback(null, records[0]!.address, records[0]!.family);
  };

function expiryOf(socket: TLSSocket): Date | null {
  const { valid_to: until } = socket.getPeerCertificate();
  const date = new Date(until);
  return Number.isNaN(date.getTime()) ? null : date;
}
