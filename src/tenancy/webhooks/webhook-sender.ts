import type { HostAddresses } from '../../platform/outbound/host-addresses';
import { OutboundConnection } from '../../platform/outbound/outbound-connection';
import { OutboundFailure } from '../../platform/outbound/outbound.errors';
import { retryAfterMsOf } from '../../platform/outbound/retry-after';
import type { Clock } from '../../shared/clock';
import { type AttemptResult, attemptWithoutAnswer } from './delivery';
import { signatureOf } from './webhook-secret';
import type { WebhookSettings } from './webhook-settings';

/** The time of an attempt, and the bytes of an answer that are kept. Tests lower the time. */
export const sendLimits = { timeoutMs: 10_000, maxAnswerBytes: 1000 };

export interface WebhookTarget {
  url: string;
  secrets: readonly string[];
}

/** Returns null for an attempt that the stop of the process has interrupted. */
export type Send = (target: WebhookTarget, id: string, body: object) => Promise<AttemptResult | null>;

/** Sends events by Standard Webhooks 1.0. Only addresses that are public are reached, and redirects are not followed. */
export class WebhookSender {
  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: WebhookSettings,
    private readonly clock: Clock,
    /** Replaces the CA certificates of Node and the port, for servers of tests. */
    private readonly server: { caCertificates?: string; port?: number } = {},
  ) {}

  /**
   * Runs work that sends to one host, so that attempts share connections.
   * @param concurrency attempts at a time; the caller keeps to it
   */
  async connected<T>(concurrency: number, signal: AbortSignal, work: (send: Send) => Promise<T>): Promise<T> {
    const { allowPrivateAddresses } = this.settings;
    const connection = new OutboundConnection(this.addresses, {
      ...sendLimits,
      ...this.server,
      allowPrivateAddresses,
      allowHttp: allowPrivateAddresses,
      cutsBody: true,
      concurrency,
    });
    try {
      return await work(async (target, id, body) => {
        try {
          return await this.#attempt(connection, signal, target, id, body);
        } catch (error) {
          if (signal.aborted) return null;
          throw error;
        }
      });
    } finally {
      connection.close();
    }
  }

  async #attempt(
    connection: OutboundConnection,
    signal: AbortSignal,
    target: WebhookTarget,
    id: string,
    event: object,
  ): Promise<AttemptResult> {
    const startedAt = performance.now();
    const timed = () => Math.round(performance.now() - startedAt);
    const now = this.clock.now();
    const body = JSON.stringify(event);
    const timestamp = Math.floor(now / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'Signpost webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, target.secrets),
    };
    try {
      const request = { method: 'POST', url: new URL(target.url), headers, body } as const;
      const { status, headers: answered, body: read } = await connection.send(request, signal);
      const isDelivered = status >= 200 && status < 300;
      const answer = read?.toString('utf8').replaceAll('\0', '') ?? null;
      const retryAfterMs = retryAfterMsOf(answered['retry-after'], now);
      const failure = isDelivered ? null : 'error_answer';
      return { isDelivered, status, failure, answer, retryAfterMs, durationMs: timed() };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return attemptWithoutAnswer(error.reason, timed());
    }
  }
}
