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
  constructor(readonly reason: OutboundReason) {
    super(`the request has failed: ${reason}`);
  }
}
