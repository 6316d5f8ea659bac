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

export function headersOfStatus(status: number): Record<string, Header> {
  if (status === 201)
    return {
      Location: locationHeader,
      'Idempotent-Replayed': replayedHeader,
    };
  if (status === 401)
    return {
      'WWW-Authenticate': {
        description: 'Authentication scheme: `Bearer`.',
        schema: { type: 'string' },
        example: 'Bearer',
      },
    };
  if (status === 415)
    return {
      'Accept-Encoding': {
        description: 'Encodings that the service reads. Present if that of the body is unknown.',
        required: false,
        schema: { type: 'string' },
        example: 'gzip, deflate, br',
      },
    };
  if (status === 429)
    return {
      'Retry-After': {
        description: 'Time to wait before the next request, in seconds.',
        schema: { type: 'integer' },
        example: 12,
      },
    };
  return {};
}
