import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  createClient,
  type ResultSet,
} from '@clickhouse/client';
import { TenantConnectionLimiter } from '../postgres/tenant-connection-limiter';
import { DeadlineExceeded } from '../postgres/database-error';
import { currentTenant, timeLeft } from '../postgres/request-context';
import { timeLimits } from '../postgres/time-limits';
import { ClickHouse, ClickHouseUnavailable, type Insert } from './clickhouse';
import { ClickHouseAvailability } from './clickhouse-availability';
import { readWithin } from './read-within';
import { FailedPart, RestOfStatement } from './rest-of-statement';

/** For statements that create or change tables. */
const commandTimeoutMs = 60_000;

/** Connections for the reads of requests, and as many for everything else. */
const maxConnections = 10;

/**
 * Errors of the server, not of the statement (ClickHouse, ErrorCodes.cpp). They are limits of time, memory, disk, parts and queries, and
 * lost connections to other servers and to Keeper. Missing rights, and tables that a migration creates, are among them.
 */
const unavailableCodes = new Set(
  [60, 81, 159, 160, 192, 194, 202, 209, 210, 225, 236, 241, 242, 243, 252, 279, 319, 394, 425, 439, 497, 516, 999].map(
    String,
  ),
);

const settingsOfReads = (maxExecutionMs: number = timeLimits.statement) =>
  ({
    max_execution_time: Math.ceil(maxExecutionMs / 1000),
    output_format_json_quote_64bit_integers: 0,
    output_format_json_named_tuples_as_objects: 0,
  }) as const;

/** Lets ClickHouse send a header regularly, because clients and load balancers close connections that are silent for a minute. */
const settingsOfLongReads = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '20000' } as const;

/** For statements in parts. The default of 256 KiB suits statements that people write. */
const maxStatementBytes = 512 * 1024 * 1024;

/**
 * Uses ClickHouse's client over HTTP. Reads of requests have separate connections, so that clicks and their upkeep never wait behind
 * slow statistics.
 */
export class HttpClickHouse extends ClickHouse {
  /** Shares of accounts in the connections for reads, by the rules of PostgreSQL's pool. */
  readonly shares = TenantConnectionLimiter.ofPool(
    maxConnections,
    async () => (await this.#ping(AbortSignal.timeout(timeLimits.shareProbe))).success,
  );
  readonly #requests: ClickHouseClient;
  readonly #background: ClickHouseClient;
  readonly #availability = new ClickHouseAvailability(
    () =>
      this.#run(timeLimits.probe, async (signal) => {
        const result = await this.#ping(signal);
        if (!result.success) throw result.error;
      }),
    (error) => error instanceof ClickHouseError,
  );

  constructor(url: URL) {
    super();
    const open = (): ClickHouseClient =>
      createClient({
        url,
        application: 'signpost',
        request_timeout: commandTimeoutMs,
        max_open_connections: maxConnections,
        // The client writes errors to the console by default.
        log: { level: ClickHouseLogLevel.OFF },
        keep_alive: { enabled: true },
      });
    this.#requests = open();
    this.#background = open();
  }

  get up(): boolean {
    return this.#availability.up;
  }

  async rows<Row>(
    sql: string | AsyncGenerator<string>,
    parameters: Record<string, unknown> = {},
    options?: { timeoutMs: number },
  ): Promise<Row[]> {
    if (typeof sql !== 'string') return this.#rowsOfParts<Row>(sql, parameters);
    return this.#query(sql, parameters, (answer) => answer.json<Row>(), options?.timeoutMs);
  }

  lines(sql: string, parameters: Record<string, unknown> = {}): Promise<string> {
    return this.#query(sql, parameters, (answer) => answer.text());
  }

  command(sql: string): Promise<void> {
    return this.#availability.write(() =>
      this.#run(
        commandTimeoutMs,
        async (signal) => void (await this.#background.command({ query: sql, abort_signal: signal })),
      ),
    );
  }

  insert({ table, columns, rows, token }: Insert): Promise<void> {
    return this.#availability.insert(() =>
      this.#run(timeLimits.insert, async (abort_signal) => {
        await this.#background.insert({
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
          },
        });
      }),
    );
  }

  check(): Promise<void> {
    return this.#availability.check();
  }

  async close(): Promise<void> {
    await Promise.all([this.#requests.close(), this.#background.close()]);
  }

  #query<T>(
    sql: string,
    parameters: Record<string, unknown>,
    read: (answer: ResultSet<'JSONEachRow'>) => Promise<T>,
    timeoutMs?: number,
  ): Promise<T> {
    return this.#read(async (client, abort_signal) => {
      const answer = await client.query({
        query: sql,
        query_params: parameters,
        format: 'JSONEachRow',
        abort_signal,
        clickhouse_settings: { ...settingsOfReads(timeoutMs), ...(timeoutMs !== undefined && settingsOfLongReads) },
      });
      return readWithin(answer, abort_signal, () => read(answer));
    }, timeoutMs);
  }

  /** Sends the beginning of a statement in the URL, and the rest in the body, as ClickHouse's HTTP interface allows. */
  #rowsOfParts<Row>(parts: AsyncGenerator<string>, parameters: Record<string, unknown>): Promise<Row[]> {
    return this.#read(async (client, abort_signal) => {
      const begin = await parts.next();
      const rest = new RestOfStatement(parts);
      try {
        const { stream } = await client.exec({
          query: begin.value as string,
          values: Readable.from(rest.texts(), { objectMode: false }),
          query_params: parameters,
          abort_signal,
          // The answer is one of an error if an error comes after the first rows.
          clickhouse_settings: {
            ...settingsOfReads(),
            max_query_size: String(maxStatementBytes),
            wait_end_of_query: 1,
          },
        });
        const lines = await readWithin({ close: () => stream.destroy() }, abort_signal, () => text(stream));
        return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
      } catch (error) {
        throw rest.failure ?? error;
      }
    });
  }

  /** Reads with the share of the request's account. Reads outside requests count for no account, and do not wait for them. */
  async #read<T>(
    send: (client: ClickHouseClient, signal: AbortSignal) => Promise<T>,
    timeoutMs: number = timeLimits.query,
  ): Promise<T> {
    const tenant = currentTenant();
    const run = (client: ClickHouseClient): Promise<T> =>
      this.#availability.read(() => this.#run(Math.min(timeoutMs, timeLeft()), (signal) => send(client, signal)));
    if (!tenant) return run(this.#background);
    const { key } = tenant;
    const refusal = await new Promise<Error | null>((admitted) => this.shares.acquire(tenant, timeLeft(), admitted));
    if (refusal) throw refusal instanceof DeadlineExceeded ? new ClickHouseUnavailable(refusal) : refusal;
    try {
      return await run(this.#requests);
    } finally {
      this.shares.release(key);
    }
  }

  #ping(signal: AbortSignal) {
    return this.#background.ping({ select: true, abort_signal: signal });
  }

  async #run<T>(timeoutMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
    try {
      return await send(signal);
    } catch (thrown) {
      if (thrown instanceof FailedPart) throw thrown.cause;
      const error = signal.aborted ? new DeadlineExceeded(`no answer within ${Math.floor(timeoutMs)} ms`) : thrown;
      const isAboutStatement = error instanceof ClickHouseError && !unavailableCodes.has(error.code);
      throw isAboutStatement ? error : new ClickHouseUnavailable(error);
    }
  }
}
