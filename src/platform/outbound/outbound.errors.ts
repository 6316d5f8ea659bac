/** Why a server of others has given no answer that could be used. */
export type OutboundReason =
  | 'not_resolved'
  | 'private_address'
  | 'unreachable'
  | 'certificate'
  | 'no_answer'
  | 'timeout'
  | 'compressed'
  | 'too_large';

/** Reports a request to a server of others that has failed. It has no text of that server. */
export class OutboundFailure extends Error {
  /**
   * @param stage the reason of a failure at that time, if a time limit has ended the request
   * @param code that of Node or OpenSSL
   */
  constructor(
    readonly reason: OutboundReason,
    readonly stage = reason,
    readonly code?: string,
  ) {
    super(`the request has failed: ${reason}`);
  }
}
