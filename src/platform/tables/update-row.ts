import type { EntitySchema, FindOptionsWhere, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';
import type { TransactionContext } from '../postgres/transaction-context';

/**
 * Changes the named fields of a row, and returns the row; null if none matches. A row that has their values already is not written,
 * so that its update time stays.
 *
 * @param changes a function returns an SQL expression, such as that of a time that stays
 */
export function updateRow<T extends ObjectLiteral>(
  context: TransactionContext,
  schema: EntitySchema<T>,
  where: FindOptionsWhere<T>,
  changes: { readonly [Property in keyof T]?: unknown },
): Promise<T | null> {
  return context.run(async () => {
    const rows = context.manager.getRepository(schema);
    const { columns, dataSource } = rows.metadata;
    const compared = columns.filter(
      ({ propertyName }) => !['undefined', 'function'].includes(typeof changes[propertyName]),
    );
    const differences = compared.map((column) => `${column.databaseName} IS DISTINCT FROM :${column.propertyName}`);
    const values = compared.map((column): [string, unknown] => [
      column.propertyName,
      dataSource.driver.preparePersistentValue(changes[column.propertyName], column),
    ]);
    if (compared.length > 0)
      await rows
        .createQueryBuilder()
        .update()
        .set(changes as QueryDeepPartialEntity<T>)
        .where(where)
        .andWhere(`(${differences.join(' OR ')})`, Object.fromEntries(values))
        .execute();
    return rows.findOneBy(where);
  });
}
