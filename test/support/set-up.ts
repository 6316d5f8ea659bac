import 'reflect-metadata';
import { join } from 'node:path';
import { clickWrites } from '../../src/clicks/recording/click-recorder';
import { pictureThread } from '../../src/links/pictures/picture-thread';
import { type ErrorCode, statusOf } from '../../src/shared/domain-error';
import { passwordCost } from '../../src/shared/password-hash';
import { endTest } from './end-of-test';
import { useGenerousTimeLimits } from './time-limits';

afterEach(endTest);
useGenerousTimeLimits();
// Many tests wait until visits are counted.
clickWrites.pauseMs = 10;
// Tests check hundreds of passwords.
passwordCost.N = 2 ** 10;
// Threads run the sources, as the service does.
pictureThread.file = join(__dirname, '../../src/picture-worker.ts');
pictureThread.execArgv = ['--require', join(__dirname, 'jest/typescript.cjs')];

declare global {
  namespace jest {
    interface Matchers<R> {
      /**
       * Expects the error format with the code and its status, and the details if they are given. Accepts responses of
       * supertest, raw HTTP and the generated client.
       */
      toBeRefusedWith(code: ErrorCode, details?: unknown): R;
    }
  }
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  text: string;
  /** A string if `sendApiRequest` sent the request. */
  request?: unknown;
}

interface ClientAnswer {
  response: Response;
  data?: unknown;
  error?: unknown;
}

const asAnswer = ({ response, data, error }: ClientAnswer): Answer => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: error ?? data ?? {},
  text: JSON.stringify(error ?? data),
});

expect.extend({
  toBeRefusedWith(received: Answer | ClientAnswer, code: ErrorCode, details?: unknown) {
    const response = 'response' in received ? asAnswer(received) : received;
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
        `expected ${statusOf[code]} ${code}${details === undefined ? '' : ` with ${this.utils.printExpected(details)}`}, got ${response.status} ${response.text}${typeof response.request === 'string' ? ` for ${response.request}` : ''}`,
    };
  },
});
