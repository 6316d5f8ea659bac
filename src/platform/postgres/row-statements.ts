import type { EntityMetadata, EntitySchema, ObjectLiteral } from 'typeorm';
import type { TransactionContext } from './transaction-context';

export interface Statement {
  sql: string;
  values: unknown[];
}

/**
 * Builds statements that write rows of one `EntitySchema`. TypeORM maps properties to columns and values to parameters; the text
 * is built here, because TypeORM's query builders take longer than the statements (docs/decisions/0039-cost-of-a-request.md).
 */
export class RowStatements<T extends ObjectLiteral> {
  /** Texts of insertions by the names of their properties. */
  readonly #insertions = new Map<string, string>();

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema,
  ) {}

  /**
   * Returns an insertion of the properties that are set. Its result is the times that the database sets.
   * @param check a call of an SQL function that fails if the row must not be inserted
   */
  insertion(row: Partial<T>, check?: { function: string; values: unknown[] }): Statement {
    const { columns } = this.#metadata;
    const given = columns.filter(({ propertyName }) => row[propertyName] !== undefined);
    const key = [check?.function, ...given.map(({ propertyName }) => propertyName)].join();
    let sql = this.#insertions.get(key);
    if (sql === undefined) {
      const names = given.map(({ databaseName }) => databaseName);
      const times = columns
        .filter(({ isCreateDate, isUpdateDate }) => isCreateDate || isUpdateDate)
        .map(({ databaseName, propertyName }) => `${databaseName} AS "${propertyName}"`);
      // PostgreSQL derives no types of parameters in a SELECT.
      const selected = given.map(({ type, isArray }, at) => `$${at + 1}::${String(type)}${isArray ? '[]' : ''}`);
      const checked = check?.values.map((_, at) => `$${given.length + at + 1}`).join(', ');
      sql = `INSERT INTO ${this.#metadata.tableName} (${names.join(', ')})
        SELECT ${selected.join(', ')}${check ? ` FROM ${check.function}(${checked})` : ''} RETURNING ${times.join(', ')}`;
      this.#insertions.set(key, sql);
    }
    const values = given.map(({ propertyName }) => this.#parameter(propertyName, row[propertyName]));
    return { sql, values: check ? [...values, ...check.values] : values };
  }

  /**
   * Returns an update of the table as `t`, which writes no row that has the values already. Returns null if nothing is named.
   *
   * @param changes a function returns an SQL expression, such as that of a time that stays
   * @param values parameters of the condition
   * @param fields the select list of the result
   */
  update(changes: Partial<T>, condition: string, values: unknown[], fields: string): Statement | null {
    const assignments: string[] = [];
    const differences: string[] = [];
    const parameters = [...values];
    for (const [property, value] of Object.entries(changes) as [string, unknown][]) {
      if (value === undefined) continue;
      const { databaseName } = this.#metadata.findColumnWithPropertyName(property)!;
      if (typeof value === 'function') {
        assignments.push(`${databaseName} = ${String((value as () => string)())}`);
        continue;
      }
      const parameter = `$${parameters.push(this.#parameter(property, value))}`;
      assignments.push(`${databaseName} = ${parameter}`);
      differences.push(`t.${databaseName} IS DISTINCT FROM ${parameter}`);
    }
    if (differences.length === 0) return null;
    for (const { propertyName, databaseName, isUpdateDate } of this.#metadata.columns)
      if (isUpdateDate && changes[propertyName] === undefined) assignments.push(`${databaseName} = now()`);
    const sql = `UPDATE ${this.#metadata.tableName} t SET ${assignments.join(', ')}
      WHERE ${condition} AND (${differences.join(' OR ')}) RETURNING ${fields}`;
    return { sql, values: parameters };
  }

  get #metadata(): EntityMetadata {
    return this.context.manager.connection.getMetadata(this.schema);
  }

  #parameter(property: string, value: unknown): unknown {
    const column = this.#metadata.findColumnWithPropertyName(property)!;
    return this.context.manager.connection.driver.preparePersistentValue(value, column) as unknown;
  }
}
