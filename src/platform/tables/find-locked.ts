import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';

/**
 * Finds a row, and locks it until the transaction ends. The lock is a separate statement, so that the read sees the state after
 * the wait for it, subqueries included.
 */
export async function findLocked<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
): Promise<T | null> {
  const locked = await rows
    .createQueryBuilder('t')
    .select('t.id')
    .where(where)
    .setLock('for_no_key_update')
    .getRawOne<{ t_id: string }>();
  return locked ? rows.findOneBy(where) : null;
}
