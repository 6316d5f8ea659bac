interface Header {
  description: string;
  /** False for a header that not every such response has. */
  required?: false;
  schema: { type: 'string' | 'integer'; format?: string; enum?: string[] };
  example: string | number;
}

export const header = (
  description: string,
  example: string | number,
  { required, ...schema }: { required?: false; format?: string; enum?: string[] } = {},
): Header => ({
  description,
  ...(required === false && { required }),
  schema: { type: typeof example === 'number' ? 'integer' : 'string', ...schema },
  example,
});

/** Headers of every management API response. */
export const answerHeaders: Record<string, Header> = {
  'X-Request-Id': header(
    'Id of the request in the log. A value from the request is kept if it has 1 to 128 characters of `A-Z a-z 0-9 . _ -`.',
    '0198c0de-7e57-7000-8000-0000000000f1',
  ),
  'X-RateLimit-Limit': header('Requests allowed per window of one minute.', 60),
  'X-RateLimit-Remaining': header('Requests left in the current window.', 59),
  'X-RateLimit-Reset': header('End of the window, as Unix time in milliseconds.', 1_780_315_860_000, {
    format: 'int64',
  }),
};

export const replayedHeader = header(
  'Present if an earlier request with the same `Idempotency-Key` has succeeded. The response repeats that of the first request.',
  'true',
  { required: false, enum: ['true'] },
);

export const brokenVersionsHeader = header(
  'Present if the change breaks released versions of apps: the first 50 of them, joined by commas.',
  '1.2.3, 1.3.0',
  { required: false },
);

export const locationHeader = header(
  'URL of the new resource.',
  'https://api.example.com/api/v1/projects/0198c0de-7e57-7000-8000-000000000001',
  { format: 'uri' },
);

export const fileNameHeader = header('`attachment`, with the name of the file.', 'attachment; filename="links.csv"');

/** Keeps proxies such as nginx from holding events back. */
export const unbufferedHeader = header('Always `no`, so that proxies such as nginx pass events on at once.', 'no', {
  enum: ['no'],
});

export const exampleTag = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';

export const tagHeader = {
  ETag: header('Tag of the current state of the resource, for `If-None-Match` and `If-Match`.', exampleTag),
};

/** Headers that every response with the status has. */
export const headersOfStatus: Record<string, Record<string, Header>> = {
  201: { Location: locationHeader },
  401: { 'WWW-Authenticate': header('Authentication scheme: `Bearer`.', 'Bearer') },
  415: {
    'Accept-Encoding': header(
      'Encodings that the service reads. Present if that of the body is unknown.',
      'gzip, deflate, br',
      { required: false },
    ),
  },
  429: { 'Retry-After': header('Time to wait before the next request, in seconds.', 12) },
};
