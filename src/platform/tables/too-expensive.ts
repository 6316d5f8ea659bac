import { isClientTimeout, isStatementTimeout, QueryTooExpensive } from '../postgres/database-error';
import { outsideRequests } from '../postgres/deadline';
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
    if (isStatementTimeout(error) || (isClientTimeout(error) && (await isAnswering(context, startedAt))))
      throw new QueryTooExpensive(error);
    throw error;
  }
}

function isAnswering(context: TransactionContext, startedAt: number): Promise<boolean> {
  const leftMs = Math.min(probeTimeoutMs, startedAt + maxMs - performance.now());
  if (leftMs <= 0) return Promise.resolve(false);
  const probe = outsideRequests(() => context.read('SELECT 1')).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), leftMs);
  });
  return Promise.race([probe, tooLong]).finally(() => clearTimeout(timer));
}
