import { type ErrorCode, statusOf } from '../../shared/domain-error';
import { sharedNetworkOf } from '../../platform/http/network';
import type { Log } from '../../platform/observability/log';
import type { Caller } from '../accounts/caller';
import type { PgJournalRepository } from './pg-journal.repository';

/** The database is asked again after this time, because people sign in each day. */
const rememberedMs = 3_600_000;
const maxRemembered = 10_000;

export interface RefusedChange {
  operation: string;
  code: string;
  /** Of the error. */
  details?: unknown;
}

/**
 * Returns the first code of a bulk request that is a refusal, the number of operations by code, and the first limit that is
 * reached. Null if none was refused.
 */
export function refusedOperations(
  operation: string,
  errors: readonly { code: ErrorCode; details?: unknown }[],
): RefusedChange | null {
  const refused = errors.filter(({ code }) => statusOf[code] === 403);
  const [first] = refused;
  if (first === undefined) return null;
  const codes: Partial<Record<ErrorCode, number>> = {};
  for (const { code } of refused) codes[code] = (codes[code] ?? 0) + 1;
  const limit = refused.map(({ details }) => details).find(isLimit);
  return { operation, code: first.code, details: { refused: refused.length, codes, ...limit } };
}

/**
 * Adds entries of accesses to the journal. Rules of the database bound their number (`journal_event_once`). A request does not fail
 * because its entry cannot be written.
 */
export class AccessJournal {
  readonly #seen = new Map<string, number>();

  constructor(
    private readonly journal: Pick<PgJournalRepository, 'addEventOnce'>,
    private readonly log: Log,
  ) {}

  /**
   * Records the first use of a key from a network, and the first request of a person from a network in 24 hours. Returns undefined if
   * this process has done so recently, because every request comes here.
   * @param address as the journal keeps it
   */
  recordUse(caller: Caller, address = ''): Promise<void> | undefined {
    const name = `${caller.apiKeyId ?? caller.userId} ${address}`;
    const now = performance.now();
    if (now - (this.#seen.get(name) ?? -Infinity) < rememberedMs) return undefined;
    if (this.#seen.size >= maxRemembered) this.#seen.clear();
    this.#seen.set(name, now);
    return this.#recordFirstUse(caller, name, sharedNetworkOf(address));
  }

  async #recordFirstUse({ accountId, userId, apiKeyId }: Caller, name: string, what: string): Promise<void> {
    const subject = apiKeyId ?? userId;
    const event =
      apiKeyId === null
        ? { type: 'user.signed_in', resourceId: null, hours: 24 }
        : { type: 'api_key.new_network', resourceId: apiKeyId, hours: null };
    const isWritten = await this.#write(accountId, { ...event, projectId: null, details: {}, subject, what });
    if (!isWritten) this.#seen.delete(name);
  }

  /**
   * Records a refusal, unless one of the same caller and operation was recorded in the last hour. A limit that is reached is an
   * event of the account too, once a day.
   */
  async recordRefusal(caller: Caller, projectId: string | null, details: RefusedChange): Promise<void> {
    const subject = caller.apiKeyId ?? caller.userId;
    const event = { type: 'request.refused', resourceId: null, hours: 1, projectId, details };
    await this.#write(caller.accountId, { ...event, subject, what: details.operation });
    if (isLimit(details.details))
      await this.#write(caller.accountId, {
        ...event,
        type: 'quota.reached',
        hours: 24,
        subject: caller.accountId,
        what: `${details.operation} ${projectId ?? ''}`,
      });
  }

  async #write(...event: Parameters<PgJournalRepository['addEventOnce']>): Promise<boolean> {
    try {
      await this.journal.addEventOnce(...event);
      return true;
    } catch (error) {
      this.log.warn(`an entry of the journal was not written (${event[1].type}): ${(error as Error).message}`);
      return false;
    }
  }
}

/** Returns whether the details are those of a quota or limit that is reached (`QuotaReached`, `LimitReached`). */
const isLimit = (details: unknown): details is object =>
  typeof details === 'object' && details !== null && 'limit' in details && 'current_plan' in details;
