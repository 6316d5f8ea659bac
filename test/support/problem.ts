import type { Problem } from '../../src/shared/problem';

/** Matches one of the `details` of INVALID_INPUT or FORBIDDEN_FIELD, whose message must contain the path. */
export const problem = (code: Problem['code'], ...path: (string | number)[]) => ({
  code,
  path,
  message: expect.stringContaining(path.join('.')),
});
