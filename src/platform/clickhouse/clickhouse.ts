import { DatabaseUnavailable } from '../postgres/database-error';

export interface Insert {
  table: string;
  columns: readonly string[];
  /** Rows in the format TabSeparated. */
  rows: string;
  /** Names the insert. One with the same token as an earlier one adds nothing. */
  token: string;
}

/** Signals that ClickHouse is unreachable, overloaded or too slow, or refuses the service's user. Its cause is the client's error. */
export class ClickHouseUnavailable extends DatabaseUnavailable {}

/** Returns whether ClickHouse lacks a table of the statement (its code UNKNOWN_TABLE), because the migrations have not run. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof ClickHouseUnavailable && (error.cause as { code?: string }).code === '60';

/**
 * Sends statements to ClickHouse. All methods throw `ClickHouseUnavailable` for errors that pass by themselves. Reads of a request throw
 * `ConcurrencyLimited` if its account has its share of the connections in use.
 */
export abstract class ClickHouse {
  /** Whether ClickHouse answers, and took the last insert of clicks. */
  abstract readonly up: boolean;
  /**
   * Returns the rows of a SELECT.
   * @param sql may come in parts, so that a long statement is never in memory as a whole. Its first part must be short, because it is sent
   * in the URL.
   * @param parameters for places such as `{project:UUID}`
   * @param options `timeoutMs` replaces the limit of requests, for a program that waits for a long statement
   */
  abstract rows<Row>(
    sql: string | AsyncGenerator<string>,
    parameters?: Record<string, unknown>,
    options?: { timeoutMs: number },
  ): Promise<Row[]>;
  /** Returns the rows of a SELECT as lines of JSON. */
  abstract lines(sql: string, parameters?: Record<string, unknown>): Promise<string>;
  abstract command(sql: string): Promise<void>;
  abstract insert(insert: Insert): Promise<void>;
  /** @throws ClickHouseUnavailable if ClickHouse refuses or does not answer a short statement within two seconds */
  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
}
