import { isClientTimeout, isStatementTimeout, QueryTooExpensive } from './database-error';
import { outsideRequests } from './deadline';
import type { TransactionContext } from './transaction-context';

const probeTimeoutMs = 500;

/**
 * Reports a read that exceeded its time limit as too expensive, if the database works.
 * @throws QueryTooExpensive
 */
export async function reportTooExpensive<T>(context: TransactionContext, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isStatementTimeout(error) || (isClientTimeout(error) && (await isAnswering(context))))
      throw new QueryTooExpensive(error);
    throw error;
  }
}

function isAnswering(context: TransactionContext): Promise<boolean> {
  const probe = outsideRequests(() => context.read('SELECT 1')).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), probeTimeoutMs);
  });
  return Promise.race([probe, tooLong]).finally(() => clearTimeout(timer));
}
