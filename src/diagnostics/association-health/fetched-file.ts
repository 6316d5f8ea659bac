/** What became of fetching a file as a phone does. */
export type FetchedFile = AnsweredFile | FailedFetch;

export interface AnsweredFile {
  kind: 'answered';
  status: number;
  contentType: string | null;
  /** Of an answer 200 that was not too large: the whole of it. */
  body: string | null;
  certificateExpires: Date | null;
}

export interface FailedFetch {
  kind: 'failed';
  /** `connection`: nobody accepts it. `certificate`: TLS comes to nothing. `answer`: none comes, or it breaks off. */
  at: 'connection' | 'certificate' | 'answer';
  /** Node's or OpenSSL's code of it. */
  code: string | undefined;
}
