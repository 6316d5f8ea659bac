import { isClientTimeout, isStatementTimeout, QueryTooExpensive } from '../postgres/database-error';
import type { TransactionContext } from '../postgres/transaction-context';

const probeTimeoutMs = 500;

/** The probe ends by this time after the start of the read, because every response must be under 5 s. */
const maxMs = 4000;

/**
 * Reports a read that exceeded its time limit as too expensive, if the database works.
 *
 * @throws QueryTooExpensive
 */
export async function reportTooExpensive<T>(context: TransactionContext, read: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await read();
  } catch (error) {
    const leftMs = Math.min(probeTimeoutMs, startedAt + maxMs - performance.now());
    if (isStatementTimeout(error) || (isClientTimeout(error) && leftMs > 0 && (await context.isAnswering(leftMs))))
      throw new QueryTooExpensive(error);
    throw error;
  }
}
