import { isIP } from 'node:net';
import type { AssociationFiles } from './file-checks';
import type { HostAddresses } from '../../platform/outbound/host-addresses';
import { OutboundConnection } from '../../platform/outbound/outbound-connection';
import { OutboundFailure, type OutboundReason } from '../../platform/outbound/outbound.errors';
import { isPublicAddress } from '../../platform/outbound/public-address';
import type { ProbeLimits } from '../../platform/outbound/probe-limits';
import type { ProbeSettings } from '../../platform/outbound/probe-settings';
import { type AssociatedPlatform, associatedPlatforms, fileRules } from './published-rules';
import { jsonFaultOf } from '../../platform/http/json-limits';

/** The answer of a host to the request for a file. */
export type FetchedFile = AnsweredFile | FailedFetch;

export interface AnsweredFile {
  kind: 'answered';
  status: number;
  contentType: string | null;
  /** How the body compares with the expected file; null unless the status is 200. */
  content: 'same' | 'different' | 'too_large' | null;
  /** The size of the body; null unless it was read to its end. */
  bytes: number | null;
  certificateExpires: Date | null;
}

export interface FailedFetch {
  kind: 'failed';
  /** `unreachable`: no address accepts. `certificate`: TLS fails. `no_answer`: no response, or an incomplete one. */
  stage: OutboundReason;
  code: string | undefined;
}

/** The files that a host serves, or the reason why it was not probed. */
export type ProbedHost = Record<AssociatedPlatform, FetchedFile> | 'not_resolved' | 'private_address' | 'not_probed';

const timeoutMs = 10_000;

/** The timeout of Android (DirectStatementRetriever, HTTP_CONNECTION_TIMEOUT_MILLIS). */
const fileTimeoutMs = 5000;

const maxConcurrentHosts = 4;

/** Limits the addresses per host, because name servers of others may return any number. */
const maxAddresses = 4;

/**
 * Fetches the association files of hosts as phones do. It skips hosts with private addresses, because a custom domain could
 * otherwise reach internal servers (SSRF).
 */
export class HostProbe {
  readonly #running = new Map<string, Promise<Map<string, ProbedHost>>>();

  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: Pick<ProbeSettings, 'allowPrivateAddresses'>,
    private readonly limits: ProbeLimits,
    private readonly caCertificates?: string,
  ) {}

  /**
   * Probes hosts within eleven seconds. Concurrent calls for the same hosts and files share one probe.
   *
   * @param accountId the account that asks
   * @param origins for example `https://summer.go.example.com`, most important first
   * @param files the expected content
   * @throws TooManyProbes
   */
  probe(accountId: string, origins: readonly string[], files: AssociationFiles): Promise<Map<string, ProbedHost>> {
    const key = [files.ios.tag, files.android.tag, ...origins].join(' ');
    const running = this.#running.get(key);
    if (running) return running;
    const probing = this.limits
      .run(accountId, () => this.probeAll(origins, files))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, probing);
    return probing;
  }

  /** Probes hosts without the limits of accounts, for work that limits itself. */
  async probeAll(origins: readonly string[], files: AssociationFiles): Promise<Map<string, ProbedHost>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const endsAt = performance.now() + timeoutMs;
    const remaining = origins.values();
    const probed = new Map<string, ProbedHost>();
    const worker = async (): Promise<void> => {
      for (const origin of remaining)
        probed.set(origin, signal.aborted ? 'not_probed' : await this.#probeOne(origin, files, signal, endsAt));
    };
    await Promise.all(Array.from({ length: maxConcurrentHosts }, worker));
    return probed;
  }

  async #probeOne(
    origin: string,
    expected: AssociationFiles,
    signal: AbortSignal,
    endsAt: number,
  ): Promise<ProbedHost> {
    const { hostname } = new URL(origin);
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'private_address';
    const addresses = await this.addresses.addressesOf(hostname, signal);
    if (!addresses) return signal.aborted ? 'not_probed' : 'not_resolved';
    if (addresses.length === 0) return 'not_resolved';
    if (!this.settings.allowPrivateAddresses && !addresses.every(isPublicAddress)) return 'private_address';
    const [ios, android] = await Promise.all(
      associatedPlatforms.map((platform) =>
        this.#fetch(platform, new URL(fileRules[platform].path, origin), addresses, expected[platform].json, endsAt),
      ),
    );
    return { ios: ios!, android: android! };
  }

  /** Fetches a file as phones do: with a valid certificate, without following redirects, and from the given addresses only. */
  async #fetch(
    platform: AssociatedPlatform,
    url: URL,
    addresses: string[],
    json: string,
    endsAt: number,
  ): Promise<FetchedFile> {
    const connection = new OutboundConnection(
      { addressesOf: async () => addresses.slice(0, maxAddresses) },
      {
        allowPrivateAddresses: true,
        maxAnswerBytes: fileRules[platform].maxBytes,
        allowsAnyBody: true,
        timeoutMs: Math.max(0, Math.min(fileTimeoutMs, Math.round(endsAt - performance.now()))),
        caCertificates: this.caCertificates,
      },
    );
    const headers = { 'User-Agent': 'Signpost association check', Accept: '*/*' };
    try {
      const answer = await connection.send({ method: 'GET', url, headers }, new AbortController().signal);
      const { status, body, certificateExpires } = answer;
      const content = body === null ? 'too_large' : isSameJson(body, json) ? 'same' : 'different';
      return {
        kind: 'answered',
        status,
        contentType: answer.headers['content-type'] ?? null,
        content: status === 200 ? content : null,
        bytes: body?.length ?? null,
        certificateExpires,
      };
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      return { kind: 'failed', stage: error.stage, code: error.code };
    } finally {
      connection.close();
    }
  }
}

/**
 * Returns whether a body is JSON with the expected values. White space between tokens and the spelling of escapes do not matter; the
 * order of members does.
 * @param json written by `JSON.stringify`
 */
export function isSameJson(body: Buffer, json: string): boolean {
  // The expected text has fewer values than characters. One with more is not parsed.
  if (jsonFaultOf(body, 3 * json.length) !== null) return false;
  try {
    return JSON.stringify(JSON.parse(body.toString())) === json;
  } catch {
    return false;
  }
}
