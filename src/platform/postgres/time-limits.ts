/**
 * Limits in milliseconds on what a request waits for. Together they keep every answer under the 5 s of the contract.
 * Tests that are about something else raise them, so that they pass on a busy machine.
 */
export const timeLimits = {
  /** For a free or a new connection. */
  connect: 1200,
  lock: 2000,
  statement: 2800,
  /** For one query as the client sees it: it holds against a server that does not answer at all. */
  query: 3000,
  /** For all queries of a request together; one wait for a connection comes on top. */
  request: 3300,
};
