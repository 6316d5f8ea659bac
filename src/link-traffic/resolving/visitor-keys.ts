import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientAddresses } from '../../platform/http/client-address';
import type { Clock } from '../../shared/clock';

/** Returns 32 bytes that look random: the same for the visitor of a link in a day (UTC). */
export type HashOfVisitor = (linkId: string, request: IncomingMessage) => Buffer;

export interface VisitorKey {
  key: Buffer;
  /** Until the day of the database is over. */
  remainingMs: number;
}

/** How long a process without the key of the day uses another one, in milliseconds. */
const retryAfterMs = 1000;

/**
 * Hashes visitors with the key of the day, so that they get the same variant again on all replicas. Neither a hash nor what it is
 * of is stored. The key is read once a day.
 */
export class VisitorKeys {
  #key: Buffer = randomBytes(32);
  #until = -Infinity;
  #reading: Promise<void> | undefined;
  #isFailing = false;

  constructor(
    private readonly readKey: () => Promise<VisitorKey | null>,
    private readonly addresses: Pick<ClientAddresses, 'networkOf'>,
    private readonly clock: Clock,
    private readonly onError: (error: unknown) => void,
  ) {}

  get isCurrent(): boolean {
    return this.clock.now() < this.#until;
  }

  /**
   * Reads the key of the day. Without an answer, the process continues with the former one. Only the first visitors of an outage wait
   * for that.
   */
  async read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    if (!this.#isFailing) await this.#reading;
  }

  /** Hashes the network of the visitor as for rate limits, because the address of an IPv6 subscriber changes in the day. */
  readonly hashOf: HashOfVisitor = (linkId, request) => {
    const parts = [linkId, this.addresses.networkOf(request), request.headers['user-agent'] ?? ''];
    return createHmac('sha256', this.#key).update(parts.join(' ')).digest();
  };

  async #read(): Promise<void> {
    const askedAt = this.clock.now();
    try {
      const current = await this.readKey();
      if (current) {
        this.#key = current.key;
        this.#until = askedAt + current.remainingMs;
        this.#isFailing = false;
        return;
      }
    } catch (error) {
      this.onError(error);
    }
    this.#isFailing = true;
    this.#until = this.clock.now() + retryAfterMs;
  }
}
