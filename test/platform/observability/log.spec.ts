import { Log } from '../../../src/platform/observability/log';

const [head, body, signature] = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxIn0', 'c2lnbmF0dXJl'];

test.each([
  ['an API key', 'the key svc_live_0123456789abcdef', 'the key svc_live_[redacted]'],
  ['a token', `a ${head}.${body}.${signature} b`, 'a [redacted token] b'],
  ['a token after other letters', `x${head}.${body}.${signature}`, 'x[redacted token]'],
  ['a token that is cut', `${head}.${body}`, '[redacted token]'],
  ['several tokens', `${head}.${body}. ${head}.${body}.${signature}`, '[redacted token] [redacted token]'],
  ['other encoded JSON', `${head} a.b`, `${head} a.b`],
  ['a long text', 'eyJ'.repeat(700_000), 'eyJ'.repeat(700_000)],
])('a line with %s', (_, message, written) => {
  let line = '';
  new Log('info', { write: (text) => void (line = text) }).logger.info(message);
  expect((JSON.parse(line) as { message: string }).message).toBe(written);
});
