/** The result of `fetchFile`. */
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
  /** `connection`: no address accepts. `certificate`: TLS fails. `answer`: no response, or an incomplete one. */
  stage: 'connection' | 'certificate' | 'answer';
  /** The error code of Node or OpenSSL. */
  code: string | undefined;
}
