import type { Client, PoolConfig, QueryResultRow } from 'pg';
import { advisoryLocks } from '../platform/postgres/advisory-locks';
import { isUndefinedTable } from '../platform/postgres/database-error';
import { SessionClient } from '../platform/postgres/session-client';
import { tlsRemedy } from '../platform/schema/tls-fault';
import { poolOptions } from '../platform/postgres/connection';

const connectTimeoutMs = 10_000;

/** Roles may have limits, as docs/operating/scale.md recommends with poolers. */
const withoutLimits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  .map((limit) => `-c ${limit}=0`)
  .join(' ');

/** Returns the options of a connection of commands that may take hours, which has no time limits on either side. */
export const unlimitedOptions = (url: string, name: string): PoolConfig => ({
  ...poolOptions(url, { max: 1, name }),
  statement_timeout: undefined,
  lock_timeout: undefined,
  idle_in_transaction_session_timeout: undefined,
  options: withoutLimits,
  connectionTimeoutMillis: connectTimeoutMs,
  // The client of requests ends each query after some seconds.
  Client: SessionClient,
});

/** Returns the options of a connection of the commands for regions. A copy takes hours for many links. */
export const adminOptions = (url: string): PoolConfig => unlimitedOptions(url, 'region admin');

/** A connection of the commands for regions, without the time limits of requests. Its errors name the side. */
export class AdminConnection {
  private constructor(
    readonly side: 'primary' | 'region',
    private readonly client: Client,
  ) {}

  /** @param forReplication accepts the commands of the replication protocol, and no parameters */
  static async open(side: 'primary' | 'region', url: string, forReplication = false): Promise<AdminConnection> {
    const client = new SessionClient({
      ...adminOptions(url),
      ...(forReplication && { replication: 'database' }),
    });
    client.on('error', () => {});
    await client.connect().catch((error: unknown) => {
      throw describe(side, error);
    });
    return new AdminConnection(side, client);
  }

  /** @throws Error with the side and PostgreSQL's message */
  async query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    try {
      return (await this.client.query<Row>(sql, values)).rows;
    } catch (error) {
      throw describe(this.side, error);
    }
  }

  /** Returns whether the lock was free. It is held until the connection ends. */
  async tryLock(): Promise<boolean> {
    const [row] = await this.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLocks.regionCommand}) AS locked`,
    );
    return row!.locked;
  }

  async end(): Promise<void> {
    await this.client.end();
  }
}

/** Returns whether a right is missing (SQLSTATE insufficient_privilege). */
export const isInsufficientPrivilege = (error: unknown): boolean => causeOf(error)?.code === '42501';

/** Returns whether a side has no such table. Its error has that of PostgreSQL as its cause. */
export const lacksTable = (error: unknown): boolean => isUndefinedTable(causeOf(error));

const causeOf = (error: unknown): { code?: string } | undefined =>
  (error as Error).cause as { code?: string } | undefined;

/** Returns the error with the side, and the remedy if rights are missing. */
function describe(side: string, error: unknown): Error {
  const { message, code } = error as Error & { code?: string };
  const tls = tlsRemedy(error);
  const remedy =
    code === '42501'
      ? '. docs/operating/regions.md lists the rights that region commands need'
      : tls === null
        ? ''
        : `. ${tls}`;
  return new Error(`The ${side}: ${message}${remedy}`, { cause: error });
}
