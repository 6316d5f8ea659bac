import type { Socket } from 'node:net';
import type { Client, ClientConfig, QueryConfig } from 'pg';
import { DeadlineExceeded, isReadOnly, spoilsConnection } from './database-error';
import { timeLeft, outsideRequests } from './request-context';
import { SessionClient } from './session-client';
import { timeLimits } from './time-limits';

/** Event of a client whose session is read-only. */
export const foundReadOnly = Symbol('found read-only');

const endTimeoutMs = 1000;

type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A pg client that observes the request's deadline and leaves the pool after an error that spoils its connection. A frozen
 * server would otherwise delay the ROLLBACK as well. A former primary would refuse writes as long as its connections live.
 */
export class ResilientClient extends SessionClient {
  /** Whether statements with parameters get names, so that a connection parses them once. */
  protected readonly namesStatements: boolean = true;

  constructor(config?: ClientConfig) {
    super(config);
    // Between the listeners of the pool and of the borrower, an error would have no listener and end the process. The borrower's
    // next query fails anyway.
    this.on('error', () => {});
  }

  /**
   * Connects outside the context of the request that needs the connection, because later requests use its socket too. Their
   * queries would otherwise have the deadline of the first.
   */
  override connect = ((callback?: (error: Error | null) => void): unknown =>
    outsideRequests(() => (callback ? super.connect(callback) : super.connect()))) as Client['connect'];

  override query = ((...args: unknown[]): unknown => {
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : null;
    const [query, values] = args as [string | (QueryConfig & { submit?: unknown }), unknown[] | undefined];
    if (typeof query !== 'string' && query.submit) return super.query(query as never);
    const leftMs = timeLeft();
    if (leftMs <= 0 && !isCleanUp(query)) {
      const error = new DeadlineExceeded('the request ran out of time before this query');
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    }
    const config = {
      ...(typeof query === 'string' ? { text: query, ...(this.namesStatements && nameFor(query, values)) } : query),
      ...(values && { values }),
      query_timeout: Math.max(1, Math.ceil(Math.min(ownTimeout(query), leftMs <= 0 ? 500 : leftMs))),
    };
    if (callback) {
      super.query(config, (error: Error | null, result: unknown) => {
        if (error) this.#retireAfter(error);
        callback(error, result);
      });
      return undefined;
    }
    return super.query(config).catch((error: Error) => {
      this.#retireAfter(error);
      throw error;
    });
  }) as Client['query'];

  /** Ends the connection even if a frozen server never closes its side, so that the process can exit. */
  override end = ((callback?: () => void): unknown => {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    const tooLong = setTimeout(() => stream.destroy(), endTimeoutMs);
    stream.once('close', () => clearTimeout(tooLong));
    if (stream.destroyed) clearTimeout(tooLong);
    return callback ? super.end(callback as never) : super.end();
  }) as Client['end'];

  #retireAfter(error: Error): void {
    if (isReadOnly(error)) this.emit(foundReadOnly);
    if (spoilsConnection(error)) void this.end().catch(() => {});
  }
}

/** A client without named statements. A pooler in transaction mode that does not know them runs each one on any connection. */
export class UnnamedStatementsClient extends ResilientClient {
  protected override readonly namesStatements = false;
}

const names = new Map<string, string>();
const maxNames = 300;

/** Names for updates, whose texts depend on the fields that callers send. One bulk request could otherwise take all names. */
const maxNamesOfUpdates = 100;
let namesOfUpdates = 0;

/** Part of statements whose best plan depends on their parameters, such as searches. */
export const plannedByParameters = 'matches AS MATERIALIZED';

/** Returns whether the text has the numbers of a page, as TypeORM writes them. Names for each page would fill the table. */
export const namesPage = (text: string): boolean => / (?:LIMIT (?!1$)|OFFSET )\d+$/.test(text);

/** Names a statement with parameters, so that a connection parses it once. */
function nameFor(text: string, values: unknown[] | undefined): { name?: string } {
  if (!values || values.length === 0 || text.includes(plannedByParameters)) return {};
  const known = names.get(text);
  if (known) return { name: known };
  if (names.size >= maxNames || namesPage(text)) return {};
  if (text.startsWith('UPDATE ') && namesOfUpdates++ >= maxNamesOfUpdates) return {};
  const name = `s${names.size}`;
  names.set(text, name);
  return { name };
}

export const within = (milliseconds: number, query: QueryConfig): QueryConfig =>
  ({ ...query, query_timeout: milliseconds }) as QueryConfig;

const ownTimeout = (query: string | QueryConfig): number =>
  (query as { query_timeout?: number }).query_timeout ?? timeLimits.query;

const isCleanUp = (query: string | QueryConfig): boolean =>
  /^ROLLBACK/i.test(typeof query === 'string' ? query : query.text);
