import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { UsageFailure } from './failures.js';

/** A change that is planned, and not carried out yet. */
export interface Change {
  /** Method and path of the request. */
  readonly request: string;
  /** Fields of the request, or for an update the values before and after. */
  readonly changes: unknown;
  /** @param key random text, for `Idempotency-Key` */
  apply(key: string): Promise<unknown>;
}

interface Waiting {
  readonly input: unknown;
  readonly change: Change;
  readonly expiresAt: number;
}

const lifetimeMs = 300_000;
const maxWaiting = 100;

/** Keeps changes until they are confirmed. A token confirms one change once, for the arguments that it was given for. */
export class PlannedChanges {
  readonly #waiting = new Map<string, Waiting>();

  constructor(private readonly now: () => number) {}

  /** Returns the plan and its token. The oldest plan is forgotten if too many wait. */
  plan(input: unknown, change: Change): object {
    const token = randomBytes(16).toString('base64url');
    this.#waiting.set(token, { input, change, expiresAt: this.now() + lifetimeMs });
    if (this.#waiting.size > maxWaiting) this.#waiting.delete(this.#waiting.keys().next().value!);
    return {
      plan: { request: change.request, changes: change.changes },
      confirm: token,
      expires_in_seconds: lifetimeMs / 1000,
      next: 'Nothing is changed yet. Show the plan to the user. To carry it out, call again with the same arguments and `confirm`.',
    };
  }

  /** @throws UsageFailure if the token is unknown, used or expired, or belongs to other arguments. It is used up in any case. */
  async confirm(token: string, input: unknown): Promise<unknown> {
    const waiting = this.#waiting.get(token);
    this.#waiting.delete(token);
    if (!waiting || this.now() > waiting.expiresAt)
      throw new UsageFailure('The token is unknown, used or expired. Call without `confirm` for a new plan.');
    if (!isDeepStrictEqual(waiting.input, input))
      throw new UsageFailure('The token belongs to other arguments. Call without `confirm` for a new plan.');
    return waiting.change.apply(token);
  }
}
