import type { ServerOptions } from 'node:http';

/** Time limits of a connection, in milliseconds. */
export const serverLimits = {
  /** For the head of a request, from the start of the connection. A slower client gets 408. */
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  /**
   * For an idle connection. Longer than in load balancers (nginx and AWS: 60 s), because they must close first. Otherwise they
   * send a request into a closing connection, and their client gets a 502.
   */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 250,
} satisfies ServerOptions;
