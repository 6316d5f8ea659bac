import type { ServerOptions } from 'node:http';

/** Time limits of a connection, in milliseconds. */
export const serverLimits = {
  /** `hostFaultOf` checks it, because Node's answer has no body. */
  requireHostHeader: false,
  /** For the head of a request, from the start of the connection. A slower client gets 408. */
  headersTimeout: 15_000,
  /** For a whole request, but for uploads of files. A slower client gets 408. */
  requestTimeout: 30_000,
  /**
   * For an idle connection. Longer than in load balancers (nginx and AWS: 60 s), because they must close first. Otherwise they
   * send a request into a closing connection, and their client gets a 502.
   */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 250,
} satisfies ServerOptions;

/** Limits of responses that wait for their clients (docs/decisions/0018-limits-per-client.md). */
export const responseLimits = {
  /**
   * Milliseconds without progress after which a client counts as not reading. Node looks at the end of each such interval, so
   * that a connection closes after at most twice this time and `stallCheckIntervalMs`.
   */
  stallTimeoutMs: 25_000,
  stallCheckIntervalMs: 5000,
  /** Bytes of all connections that have more than a socket buffers (16 kB). */
  maxUnreadBytes: 64_000_000,
  /** Pipelined requests that wait for an earlier response of their connection. */
  maxWaitingPerConnection: 100,
  /** The same for all connections of the process. */
  maxWaitingRequests: 10_000,
};
