import type { Problem } from '../../src/shared/problem';

/** One of the `details` of INVALID_INPUT or FORBIDDEN_FIELD. Its message, for people, must say where it is. */
export const problem = (code: Problem['code'], ...path: (string | number)[]) => ({
  code,
  path,
  message: expect.stringContaining(path.join('.')),
});
