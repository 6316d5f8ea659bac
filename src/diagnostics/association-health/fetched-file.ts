import type { OutboundReason } from '../../platform/outbound/outbound.errors';

/** The answer of a host to the request for a file. */
export type FetchedFile = AnsweredFile | FailedFetch;

export interface AnsweredFile {
  kind: 'answered';
  status: number;
  contentType: string | null;
  /** How the body compares with the expected file; null unless the status is 200. */
  content: 'same' | 'different' | 'too_large' | null;
  /** The size of the body; null unless it was read to its end. */
  bytes: number | null;
  certificateExpires: Date | null;
}

export interface FailedFetch {
  kind: 'failed';
  /** `unreachable`: no address accepts. `certificate`: TLS fails. `no_answer`: no response, or an incomplete one. */
  stage: OutboundReason;
  /** The error code of Node or OpenSSL. */
  code: string | undefined;
}
