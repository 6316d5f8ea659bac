import type { Socket } from 'node:net';
import { Client, type ClientConfig, type QueryConfig } from 'pg';
import { DeadlineExceeded, isReadOnly, spoilsConnection } from './database-error';
import { timeLeft, outsideRequests } from './deadline';
import { foundReadOnly } from './read-only';
import { timeLimits } from './time-limits';

/** Milliseconds that a server has to close its end of a connection that we said goodbye to. */
const endTimeoutMs = 1000;

type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A pg client that asks no more than the request's deadline allows, and that takes itself out of the pool when the server
 * behind it cannot be trusted with another query: a frozen server would else make the ROLLBACK wait as long again, and a
 * former primary would keep refusing writes for as long as its pooled connections live.
 */
export class ResilientClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // Between the pool's listener and that of whoever takes the client there is a moment without any, and an error that
    // nobody listens to ends the process. Whoever has the client learns of it by its next query.
    this.on('error', () => {});
  }

  /**
   * A connection serves many requests: what its socket reports must not be heard in the context of the one that opened it.
   * The pool hands a freed connection to the next in the queue from there, whose query would else be held to the deadline of
   * a request long answered.
   */
  override connect = ((callback?: (error: Error | null) => void): unknown =>
    outsideRequests(() => (callback ? super.connect(callback) : super.connect()))) as Client['connect'];

  // pg's own signature is a dozen overloads; this stands for all of them.
  override query = ((...given: unknown[]): unknown => {
    const callback = typeof given.at(-1) === 'function' ? (given.pop() as Callback) : null;
    const [query, values] = given as [string | (QueryConfig & { submit?: unknown }), unknown[] | undefined];
    if (typeof query !== 'string' && query.submit) return super.query(query as never);
    const left = timeLeft();
    if (left <= 0 && !isCleanUp(query)) {
      const error = new DeadlineExceeded('the request ran out of time before this query');
      if (!callback) return Promise.reject(error);
      process.nextTick(callback, error);
      return undefined;
    }
    const config = {
      ...(typeof query === 'string' ? { text: query, ...nameFor(query, values) } : query),
      ...(values && { values }),
      query_timeout: Math.max(1, Math.ceil(Math.min(ownTimeout(query), left <= 0 ? 500 : left))),
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

  /** Comes to an end, even with a server that is frozen and never closes its side: a process could else not leave. */
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

const names = new Map<string, string>();
const maxNames = 300;

/**
 * A name for a statement of ours with parameters, so that a connection parses it once. Searches are left out: their plan must
 * depend on what is searched for.
 */
function nameFor(text: string, values: unknown[] | undefined): { name?: string } {
  if (!values || values.length === 0 || text.includes('ILIKE')) return {};
  const known = names.get(text);
  if (known) return { name: known };
  if (names.size >= maxNames) return {};
  const name = `s${names.size}`;
  names.set(text, name);
  return { name };
}

/** The query, to be given up after so many milliseconds, if they are less than what every query gets. */
export const within = (milliseconds: number, query: QueryConfig): QueryConfig =>
  ({ ...query, query_timeout: milliseconds }) as QueryConfig;

const ownTimeout = (query: string | QueryConfig): number =>
  (query as { query_timeout?: number }).query_timeout ?? timeLimits.query;

const isCleanUp = (query: string | QueryConfig): boolean =>
  /^ROLLBACK/i.test(typeof query === 'string' ? query : query.text);
