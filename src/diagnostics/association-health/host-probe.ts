import { isIP } from 'node:net';
import { fetchFile } from './fetch-file';
import type { FetchedFile } from './fetched-file';
import type { HostAddresses } from './host-addresses';
import { isPublicAddress } from './public-address';
import type { ProbeSettings } from './probe-settings';
import { type AssociatedPlatform, associatedPlatforms, fileRules } from './published-rules';

/** What a host answers to phones, or why it was not asked. */
export type ProbedHost = Record<AssociatedPlatform, FetchedFile> | 'not_resolved' | 'private_address' | 'not_probed';

/** Milliseconds for all hosts of a project. */
const timeoutMs = 10_000;

/** Milliseconds for one file (as Android has it: DirectStatementRetriever, HTTP_CONNECTION_TIMEOUT_MILLIS). */
const fileTimeoutMs = 5000;

/** Hosts that are asked at a time. */
const concurrency = 4;

/** Addresses of a host that are tried. A name server may make up any number. */
const maxAddresses = 4;

/**
 * Asks hosts for their association files as phones would. Where a host's addresses lead inside a network it is not asked, so
 * that nobody gets to servers there by a name of theirs.
 */
export class HostProbe {
  readonly #running = new Map<string, Promise<Map<string, ProbedHost>>>();

  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: ProbeSettings,
    /** Certificates, instead of those that Node knows. */
    private readonly authorities?: string,
  ) {}

  /**
   * Whoever asks for the same hosts while they are being asked waits for that. Comes back within eleven seconds, and never
   * throws.
   *
   * @param origins such as `https://summer.go.example.com`, those first that must not be left out
   */
  ask(origins: readonly string[]): Promise<Map<string, ProbedHost>> {
    const key = origins.join(' ');
    const running = this.#running.get(key);
    if (running) return running;
    const asking = this.#askAll(origins).finally(() => this.#running.delete(key));
    this.#running.set(key, asking);
    return asking;
  }

  async #askAll(origins: readonly string[]): Promise<Map<string, ProbedHost>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const waiting = origins.values();
    const probed = new Map<string, ProbedHost>();
    const worker = async (): Promise<void> => {
      for (const origin of waiting)
        probed.set(origin, signal.aborted ? 'not_probed' : await this.#askOne(origin, signal));
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    return probed;
  }

  async #askOne(origin: string, signal: AbortSignal): Promise<ProbedHost> {
    const { hostname } = new URL(origin);
    // A host that is an address is never looked up: what is checked below would not be asked for.
    if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'private_address';
    const addresses = await this.addresses.addressesOf(hostname, signal);
    if (!addresses) return signal.aborted ? 'not_probed' : 'not_resolved';
    if (addresses.length === 0) return 'not_resolved';
    if (!this.settings.privateAddresses && !addresses.every(isPublicAddress)) return 'private_address';
    const files = associatedPlatforms.map((platform) => {
      const { path, most } = fileRules[platform];
      return fetchFile(
        {
          url: new URL(path, origin),
          addresses: addresses.slice(0, maxAddresses),
          most,
          authorities: this.authorities,
        },
        AbortSignal.any([signal, AbortSignal.timeout(fileTimeoutMs)]),
      );
    });
    const [ios, android] = await Promise.all(files);
    return { ios: ios!, android: android! };
  }
}
