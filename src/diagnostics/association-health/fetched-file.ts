/** The result of `fetchFile`. */
export type FetchedFile = AnsweredFile | FailedFetch;

export interface AnsweredFile {
  kind: 'answered';
  status: number;
  contentType: string | null;
  /** Null unless the status is 200 and the body is within the limit. */
  body: string | null;
  certificateExpires: Date | null;
}

export interface FailedFetch {
  kind: 'failed';
  /** `connection`: no address accepts. `certificate`: TLS fails. `answer`: no response, or an incomplete one. */
  stage: 'connection' | 'certificate' | 'answer';
  /** The error code of Node or OpenSSL. */
  code: string | undefined;
}
