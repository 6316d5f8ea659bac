import type { EntityMetadata, EntitySchema, ObjectLiteral } from 'typeorm';
import { actorParameter } from '../postgres/current-actor';
import type { TransactionContext } from '../postgres/transaction-context';

export interface Statement {
  sql: string;
  values: unknown[];
}

/** A call of an SQL function that fails if rows must not be inserted. Its last parameter is their number. */
export interface InsertionCheck {
  function: string;
  values: unknown[];
}

/**
 * Builds statements that write rows of one `EntitySchema`. TypeORM maps properties to columns and values to parameters; the text
 * is built here, because TypeORM's query builders take longer than the statements (docs/decisions/0022-typeorm-and-sql.md).
 */
export class RowStatements<T extends ObjectLiteral> {
  /** Texts of insertions by the names of their properties. */
  readonly #insertions = new Map<string, string>();

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema,
  ) {}

  /** The columns of the table `t` that are read, named as the properties of the schema. */
  get columns(): string {
    const read = this.#metadata.columns.filter(({ isSelect }) => isSelect);
    return read.map(({ databaseName, propertyName }) => `t.${databaseName} AS "${propertyName}"`).join(', ');
  }

  /**
   * Returns an insertion of rows that set the same properties. Its result is the ids, and the times that the database sets.
   * @param actor who inserts them, as `set_actor` expects it
   */
  insertion(rows: readonly Partial<T>[], actor: string, check?: InsertionCheck): Statement {
    const columns = this.#metadata.columns.filter(({ propertyName }) => rows[0]![propertyName] !== undefined);
    const isOne = rows.length === 1;
    const key = [isOne, check?.function, ...columns.map(({ propertyName }) => propertyName)].join();
    let sql = this.#insertions.get(key);
    if (sql === undefined) this.#insertions.set(key, (sql = this.#insertionText(columns, isOne, check)));
    const values = isOne
      ? columns.map(({ propertyName }) => this.#parameter(propertyName, rows[0]![propertyName]))
      : this.#arrays(columns, rows);
    return { sql, values: [...values, actor, ...(check ? [...check.values, rows.length] : [])] };
  }

  /**
   * Passes several rows as one array for each column, so that the text is the same for each number of rows. Arrays of rows are JSON,
   * because `unnest` would take them apart.
   */
  #insertionText(inserted: EntityMetadata['columns'], isOne: boolean, check?: InsertionCheck): string {
    const { tableName, columns } = this.#metadata;
    const names = inserted.map(({ databaseName }) => databaseName).join(', ');
    const returned = columns
      .filter(({ isPrimary, isCreateDate, isUpdateDate }) => isPrimary || isCreateDate || isUpdateDate)
      .map(({ databaseName, propertyName }) => `${databaseName} AS "${propertyName}"`);
    // PostgreSQL derives no types of parameters in a SELECT.
    const parameters = inserted.map(({ type, isArray }, at) => `$${at + 1}::${String(type)}${isArray ? '[]' : ''}`);
    const checked = check && [...check.values, 'rows'].map((_, at) => `$${inserted.length + at + 2}`).join(', ');
    const sources = [
      ...(isOne ? [] : [`${unnested(inserted, 1)} AS inserted (${names})`]),
      `set_actor($${inserted.length + 1})`,
      ...(check ? [`${check.function}(${checked})`] : []),
    ];
    return `INSERT INTO ${tableName} (${names})
      SELECT ${(isOne ? parameters : inserted.map((column) => elementOf(column))).join(', ')} FROM ${sources.join(', ')} RETURNING ${returned.join(', ')}`;
  }

  /**
   * Returns an update of the table as `t`, which writes no row that has the values already. Returns null if nothing is named.
   *
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
      const parameter = `$${parameters.push(this.#parameter(property, value))}`;
      assignments.push(`${databaseName} = ${parameter}`);
      differences.push(`t.${databaseName} IS DISTINCT FROM ${parameter}`);
    }
    if (differences.length === 0) return null;
    for (const { propertyName, databaseName, isUpdateDate } of this.#metadata.columns)
      if (isUpdateDate && changes[propertyName] === undefined) assignments.push(`${databaseName} = now()`);
    const sql = `UPDATE ${this.#metadata.tableName} t SET ${assignments.join(', ')}
      FROM set_actor($${parameters.push(actorParameter())})
      WHERE ${condition} AND (${differences.join(' OR ')}) RETURNING ${fields}`;
    return { sql, values: parameters };
  }

  /**
   * Returns an update like `update` of several rows, which set the same properties, each to other values. Returns null if none is set.
   *
   * @param rows have different ids
   * @param condition holds for the table as `t` beside the id
   */
  updates(
    rows: readonly { id: string; changes: Partial<T> }[],
    condition: string,
    values: unknown[],
    fields: string,
  ): Statement | null {
    const set = this.#metadata.columns.filter(({ propertyName }) => rows[0]!.changes[propertyName] !== undefined);
    if (set.length === 0) return null;
    const id = this.#metadata.primaryColumns[0]!;
    const columns = [id, ...set];
    const names = columns.map(({ databaseName }) => databaseName).join(', ');
    const assignments = set.map((column) => `${column.databaseName} = ${elementOf(column, 'given')}`);
    const differences = set.map((column) => `t.${column.databaseName} IS DISTINCT FROM ${elementOf(column, 'given')}`);
    for (const { propertyName, databaseName, isUpdateDate } of this.#metadata.columns)
      if (isUpdateDate && rows[0]!.changes[propertyName] === undefined) assignments.push(`${databaseName} = now()`);
    const sql = `UPDATE ${this.#metadata.tableName} t SET ${assignments.join(', ')}
      FROM ${unnested(columns, values.length + 2)} AS given (${names}), set_actor($${values.length + 1})
      WHERE ${condition} AND t.${id.databaseName} = given.${id.databaseName} AND (${differences.join(' OR ')}) RETURNING ${fields}`;
    return {
      sql,
      values: [
        ...values,
        actorParameter(),
        ...this.#arrays(
          columns,
          rows.map((row) => ({ ...row.changes, id: row.id })),
        ),
      ],
    };
  }

  /** Returns one array for each column. Arrays of rows are JSON, because `unnest` would take them apart. */
  #arrays(columns: EntityMetadata['columns'], rows: readonly Partial<T>[]): unknown[][] {
    return columns.map(({ propertyName, isArray }) => {
      const ofRows = rows.map((row) => this.#parameter(propertyName, row[propertyName]));
      return isArray ? ofRows.map((array) => JSON.stringify(array)) : ofRows;
    });
  }

  get #metadata(): EntityMetadata {
    return this.context.manager.connection.getMetadata(this.schema);
  }

  #parameter(property: string, value: unknown): unknown {
    const column = this.#metadata.findColumnWithPropertyName(property)!;
    return this.context.manager.connection.driver.preparePersistentValue(value, column) as unknown;
  }
}

type Column = EntityMetadata['columns'][number];

/** Returns the rows of arrays that are parameters from `first` on. */
const unnested = (columns: Column[], first: number): string =>
  `unnest(${columns.map(({ type, isArray }, at) => `$${first + at}::${isArray ? 'jsonb' : String(type)}[]`).join(', ')})`;

/** Returns the value of a column in such a row. */
function elementOf({ databaseName, type, isArray }: Column, row?: string): string {
  const value = row === undefined ? databaseName : `${row}.${databaseName}`;
  return isArray ? `ARRAY(SELECT jsonb_array_elements_text(${value}))::${String(type)}[]` : value;
}
