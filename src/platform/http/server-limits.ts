import type { ServerOptions } from 'node:http';

/** What one connection may take of the server's time. All in milliseconds. */
export const serverLimits = {
  /**
   * For a request's head, counted from the connection's first moment: whoever says nothing, or one letter now and then, is
   * answered 408 and cut off.
   */
  headersTimeout: 15_000,
  /** For a whole request. A body has 100 kB at most. */
  requestTimeout: 30_000,
  /**
   * That an idle connection is kept for the next request. Longer than load balancers keep theirs (nginx and AWS: 60 s): it
   * must be they who close, or they send a request into a connection that is closed just then, and their client gets a 502.
   */
  keepAliveTimeout: 65_000,
  /** Between two looks for connections whose time is over. */
  connectionsCheckingInterval: 250,
} satisfies ServerOptions;
