import type { FindOptionsWhere, ObjectLiteral, QueryDeepPartialEntity, Repository } from 'typeorm';

/**
 * Changes the named fields of the rows that match. A row that has their values already is not written, so that its update time
 * stays.
 *
 * @param changes a function returns an SQL expression, such as that of a time that stays
 */
export async function updateDifferent<T extends ObjectLiteral>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  changes: { readonly [Property in keyof T]?: unknown },
): Promise<number> {
  const { columns, dataSource } = rows.metadata;
  const compared = columns.filter(
    ({ propertyName }) => !['undefined', 'function'].includes(typeof changes[propertyName]),
  );
  if (compared.length === 0) return 0;
  const values = compared.map((column): [string, unknown] => [
    column.propertyName,
    dataSource.driver.preparePersistentValue(changes[column.propertyName], column),
  ]);
  const differences = compared.map((column) => `${column.databaseName} IS DISTINCT FROM :${column.propertyName}`);
  const { affected } = await rows
    .createQueryBuilder()
    .update()
    .set(changes as QueryDeepPartialEntity<T>)
    .where(where)
    .andWhere(`(${differences.join(' OR ')})`, Object.fromEntries(values))
    .execute();
  return affected!;
}
