import { request as requestOverHttp } from 'node:http';
import { Agent, request } from 'node:https';
import { isIP, isIPv6, type LookupFunction, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { anySignal } from '../../shared/any-signal';
import type { HostAddresses } from './host-addresses';
import { OutboundFailure, type OutboundReason } from './outbound.errors';
import { isPublicAddress } from './public-address';

export interface OutboundRequest {
  method: 'GET' | 'POST';
  /** With a host name, and the scheme `https` unless the settings allow `http`. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Null if it is larger than the limit, and the settings allow that. */
  body: Buffer | null;
  certificateExpires: Date | null;
}

interface OutboundSettings {
  /** Hosts with private addresses are reached too. */
  readonly allowPrivateAddresses: boolean;
  readonly allowHttp?: boolean;
  readonly maxAnswerBytes: number;
  /** Returns an answer whose body is too large or compressed, instead of a failure. Bodies count with the status 200 only. */
  readonly allowsAnyBody?: boolean;
  /** Returns the beginning of a body of any status, and reads no more of it. */
  readonly cutsBody?: boolean;
  /** Requests at a time; 1 by default. */
  readonly concurrency?: number;
  readonly timeoutMs: number;
  /** Replaces the CA certificates of Node. */
  readonly caCertificates?: string | undefined;
  /** Replaces the port of all URLs, for servers of tests. */
  readonly port?: number | undefined;
}

const lookupTimeoutMs = 5000;

/** The timeout of each connection attempt except the last. Node's default of 250 ms is too short for distant hosts. */
const connectOptions = { autoSelectFamilyAttemptTimeout: 1000 } as const satisfies Partial<TcpSocketConnectOpts>;

/**
 * Sends requests to a server that a caller names. It checks the addresses at each connection and
 * uses no others, so that a name cannot change to an internal server in between (SSRF). It follows no redirect.
 */
export class OutboundConnection {
  readonly #agent: Agent;

  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: OutboundSettings,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: settings.concurrency ?? 1, ca: settings.caCertificates });
  }

  /**
   * Returns the answer with its whole body.
   * @throws OutboundFailure; the reason of `signal` if that aborts
   */
  async send({ method, url, headers, body }: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    // Node looks no literal address up, so the check of addresses would have no effect.
    const isHttp = this.settings.allowHttp === true && url.protocol === 'http:';
    if ((url.protocol !== 'https:' && !isHttp) || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0)
      throw new OutboundFailure('private_address');
    const timeout = AbortSignal.timeout(this.settings.timeoutMs);
    let stage: OutboundReason = 'unreachable';
    try {
      return await new Promise<OutboundAnswer>((resolve, reject) => {
        const fail = (error?: NodeJS.ErrnoException): void =>
          reject(error instanceof OutboundFailure ? error : new OutboundFailure(stage, stage, error?.code));
        const outgoing = (isHttp ? requestOverHttp : request)(
          url,
          {
            method,
            agent: isHttp ? false : this.#agent,
            port: this.settings.port ?? (url.port || (isHttp ? 80 : 443)),
            lookup: this.#lookup,
            ...connectOptions,
            signal: anySignal(signal, timeout),
            headers: { Accept: 'application/json', ...headers, 'Accept-Encoding': 'identity' },
          },
          (response) => {
            stage = 'no_answer';
            outgoing.off('close', fail);
            this.#read(response).then(resolve, fail);
          },
        );
        outgoing.on('socket', (socket) => {
          // Listeners for events of the past would stay as long as the connection, each with its request.
          if (outgoing.reusedSocket) stage = 'no_answer';
          else {
            socket.once('connect', () => (stage = isHttp ? 'no_answer' : 'certificate'));
            socket.once('secureConnect', () => (stage = 'no_answer'));
          }
        });
        outgoing.on('error', fail);
        // After an unrequested status 101, `close` is the only event.
        outgoing.on('close', fail);
        outgoing.end(body);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw timeout.aborted ? new OutboundFailure('timeout', stage) : error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #read(response: IncomingMessage): Promise<OutboundAnswer> {
    const { headers, statusCode } = response;
    const { maxAnswerBytes, allowsAnyBody, cutsBody } = this.settings;
    const answer = { status: statusCode!, headers, body: null, certificateExpires: expiryOf(response.socket) };
    const stopWith = (reason: OutboundReason): OutboundAnswer => {
      response.destroy();
      if (allowsAnyBody) return answer;
      throw new OutboundFailure(reason);
    };
    if (cutsBody) return { ...answer, body: await beginningOf(response, maxAnswerBytes) };
    if (allowsAnyBody && statusCode !== 200) return stopWith('too_large');
    // A compressed answer could have any size.
    if (!allowsAnyBody && (headers['content-encoding'] ?? 'identity') !== 'identity') return stopWith('compressed');
    if (Number(headers['content-length']) > maxAnswerBytes) return stopWith('too_large');
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) return stopWith('too_large');
      chunks.push(chunk);
    }
    return { ...answer, body: Buffer.concat(chunks) };
  }

  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    this.#addressesOf(hostname).then(
      (addresses) => {
        const records = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        if (options.all) callback(null, records);
        else callback(null, records[0]!.address, records[0]!.family);
      },
      (error: Error) => callback(error, '', 0),
    );
  };

  async #addressesOf(hostname: string): Promise<string[]> {
    const addresses = await this.addresses.addressesOf(hostname, AbortSignal.timeout(lookupTimeoutMs));
    // An unknown answer may be another one later.
    if (!addresses) throw new OutboundFailure('unreachable');
    if (addresses.length === 0) throw new OutboundFailure('not_resolved');
    // One private address is enough, because the next attempt could choose it.
    if (!this.settings.allowPrivateAddresses && !addresses.every(isPublicAddress))
      throw new OutboundFailure('private_address');
    return addresses;
  }
}

/** Returns the first bytes of a body. The rest is not read, and the connection closes then. */
async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** Returns null for a connection without TLS. */
function expiryOf(socket: Socket): Date | null {
  const date = new Date(socket instanceof TLSSocket ? socket.getPeerCertificate().valid_to : NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}
