interface Header {
  description: string;
  /** False for a header that not every such response has. */
  required?: false;
  schema: { type: 'string' | 'integer'; format?: string; enum?: string[] };
  example: string | number;
}

/** Headers of every management API response. */
export const answerHeaders: Record<string, Header> = {
  'X-Request-Id': {
    description:
      'Id of the request in the log. A value from the request is kept if it has 1 to 128 characters of `A-Z a-z 0-9 . _ -`.',
    schema: { type: 'string' },
    example: '0198c0de-7e57-7000-8000-0000000000f1',
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed per window of one minute.',
    schema: { type: 'integer' },
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer' },
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'End of the window, as Unix time in milliseconds.',
    schema: { type: 'integer', format: 'int64' },
    example: 1_780_315_860_000,
  },
};

export const replayedHeader: Header = {
  description:
    'Present if an earlier request with the same `Idempotency-Key` has succeeded. The response repeats that of the first request.',
  required: false,
  schema: { type: 'string', enum: ['true'] },
  example: 'true',
};

export const locationHeader: Header = {
  description: 'URL of the new resource.',
  schema: { type: 'string', format: 'uri' },
  example: 'https://api.example.com/api/v1/projects/0198c0de-7e57-7000-8000-000000000001',
};

export const fileNameHeader: Header = {
  description: '`attachment`, with the name of the file.',
  schema: { type: 'string' },
  example: 'attachment; filename="links.csv"',
};

/** Keeps proxies such as nginx from holding events back. */
export const unbufferedHeader: Header = {
  description: 'Always `no`, so that proxies such as nginx pass events on at once.',
  schema: { type: 'string', enum: ['no'] },
  example: 'no',
};

export const exampleTag = '"3q2-7wAAAAAAAAAAAAAAAAAAAAA"';

export const tagHeader = {
  ETag: {
    description: 'Tag of the current state of the resource, for `If-None-Match` and `If-Match`.',
    schema: { type: 'string' as const },
    example: exampleTag,
  },
};

/** Headers that every response with the status has. */
export const headersOfStatus: Record<string, Record<string, Header>> = {
  201: { Location: locationHeader },
  401: {
    'WWW-Authenticate': {
      description: 'Authentication scheme: `Bearer`.',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
  415: {
    'Accept-Encoding': {
      description: 'Encodings that the service reads. Present if that of the body is unknown.',
      required: false,
      schema: { type: 'string' },
      example: 'gzip, deflate, br',
    },
  },
  429: {
    'Retry-After': {
      description: 'Time to wait before the next request, in seconds.',
      schema: { type: 'integer' },
      example: 12,
    },
  },
};
