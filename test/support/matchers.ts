import 'reflect-metadata';
import type { Response } from 'supertest';
import type { ErrorCode } from '../../src/shared/domain-error';
import { statusOf } from '../../src/http/error-status';

declare global {
  namespace jest {
    interface Matchers<R> {
      /** The one error shape, with the code's status; `details` where given must match. */
      toBeRefusedWith(code: ErrorCode, details?: unknown): R;
    }
  }
}

expect.extend({
  toBeRefusedWith(response: Response, code: ErrorCode, details?: unknown) {
    const { error, ...rest } = response.body as { error?: { code: string; message: string; details?: unknown } };
    const shape =
      error !== undefined &&
      Object.keys(rest).length === 0 &&
      typeof error.message === 'string' &&
      error.message !== '';
    const pass =
      shape &&
      response.status === statusOf[code] &&
      error.code === code &&
      typeof response.headers['x-request-id'] === 'string' &&
      (details === undefined || this.equals(error.details, details));
    return {
      pass,
      message: () =>
        `expected ${statusOf[code]} ${code}${details === undefined ? '' : ` with ${this.utils.printExpected(details)}`}, got ${response.status} ${response.text}`,
    };
  },
});
