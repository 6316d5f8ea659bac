import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, createClient, type ResultSet } from '@clickhouse/client';
import { timeLeft } from '../postgres/deadline';
import { DatabaseUnavailable } from '../postgres/database-error';
import { timeLimits } from '../postgres/time-limits';
import { ClickHouse, type Insert } from './clickhouse';

/** Longer than an insert takes. Its answer may be lost afterwards, but it still counts once. */
const insertTimeoutMs = 5000;

/** For statements that create tables on all servers of a cluster. */
const commandTimeoutMs = 60_000;

const checkTimeoutMs = 2000;

/**
 * Errors of the server, not of the statement (ClickHouse, ErrorCodes.cpp). They are limits of time, memory, parts and queries, and lost
 * connections to other servers and to Keeper. Missing rights, and tables that a migration creates, are among them.
 */
const unavailableCodes = new Set(
  [60, 81, 159, 160, 192, 194, 202, 209, 210, 225, 236, 241, 242, 252, 279, 319, 394, 425, 439, 497, 516, 999].map(
    String,
  ),
);

/** Uses ClickHouse's client over HTTP. */
export class HttpClickHouse extends ClickHouse {
  readonly #client: ClickHouseClient;
  #up = false;

  constructor(
    url: URL,
    readonly cluster: string | null,
  ) {
    super();
    this.#client = createClient({
      url,
      application: 'signpost',
      request_timeout: commandTimeoutMs,
      // The client writes errors to the console by default.
      log: { LoggerClass: Silent },
      keep_alive: { enabled: true },
    });
  }

  get up(): boolean {
    return this.#up;
  }

  rows<Row>(sql: string, parameters: Record<string, unknown> = {}): Promise<Row[]> {
    return this.#query(sql, parameters, (answer) => answer.json<Row>());
  }

  lines(sql: string, parameters: Record<string, unknown> = {}): Promise<string> {
    return this.#query(sql, parameters, (answer) => answer.text());
  }

  command(sql: string): Promise<void> {
    return this.#run(commandTimeoutMs, async (abort_signal) => {
      await this.#client.command({ query: sql, abort_signal });
    });
  }

  insert({ table, columns, rows, token }: Insert): Promise<void> {
    return this.#run(insertTimeoutMs, async (abort_signal) => {
      await this.#client.insert({
        table,
        columns: columns as [string, ...string[]],
        values: Readable.from([rows], { objectMode: false }),
        format: 'TabSeparated',
        abort_signal,
        clickhouse_settings: {
          insert_deduplication_token: token,
          insert_deduplicate: 1,
          // The server decides by default whether inserts wait for others, and those have no token.
          async_insert: 0,
          deduplicate_blocks_in_dependent_materialized_views: 1,
          // With a cluster, the answer waits until all shards have the rows.
          distributed_foreground_insert: 1,
        },
      });
    });
  }

  check(): Promise<void> {
    return this.#run(checkTimeoutMs, async (abort_signal) => {
      const result = await this.#client.ping({ select: true, abort_signal });
      if (!result.success) throw result.error;
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #query<T>(
    sql: string,
    parameters: Record<string, unknown>,
    read: (answer: ResultSet<'JSONEachRow'>) => Promise<T>,
  ): Promise<T> {
    return this.#run(Math.min(timeLimits.query, timeLeft()), async (abort_signal) => {
      const answer = await this.#client.query({
        query: sql,
        query_params: parameters,
        format: 'JSONEachRow',
        abort_signal,
        clickhouse_settings: {
          max_execution_time: Math.ceil(timeLimits.statement / 1000),
          output_format_json_quote_64bit_integers: 0,
          output_format_json_named_tuples_as_objects: 0,
        },
      });
      return readWithin(answer, abort_signal, read);
    });
  }

  async #run<T>(timeoutMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
    try {
      const answer = await send(signal);
      this.#up = true;
      return answer;
    } catch (thrown) {
      const error = signal.aborted ? new Error(`ClickHouse did not answer within ${timeoutMs} ms`) : thrown;
      const ofServer = error instanceof ClickHouseError;
      const unavailable = !ofServer || unavailableCodes.has(error.code);
      this.#up = !unavailable;
      throw unavailable ? new DatabaseUnavailable(error) : error;
    }
  }
}

/** Limits the time of the body too. The client listens to the signal until the head of the answer has come. */
async function readWithin<T>(
  answer: ResultSet<'JSONEachRow'>,
  signal: AbortSignal,
  read: (answer: ResultSet<'JSONEachRow'>) => Promise<T>,
): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      answer.close();
      reject(signal.reason as Error);
    };
  });
  signal.addEventListener('abort', onAbort);
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([aborted, read(answer)]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

class Silent {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
