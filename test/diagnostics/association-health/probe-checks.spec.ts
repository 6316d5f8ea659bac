import type { FetchedFile, ProbedHost } from '../../../src/diagnostics/association-health/host-probe';
import { probeProblems } from '../../../src/diagnostics/association-health/probe-checks';

const answered = (fields: Partial<FetchedFile> = {}): FetchedFile =>
  ({
    kind: 'answered',
    status: 200,
    contentType: 'application/json',
    content: 'same',
    bytes: 2,
    certificateExpires: null,
    ...fields,
  }) as FetchedFile;

const problemsOf = (ios: FetchedFile, android = answered()): string[] => {
  const probed: ProbedHost = { ios, android };
  return probeProblems('links.example.com', probed, 0).map(({ code, platform }) => `${code} ${platform}`);
};

test.each<[string, FetchedFile, string[]]>([
  ['the same file', answered(), []],
  ['a different file', answered({ content: 'different' }), ['content_differs ios']],
  ['a large file', answered({ content: 'too_large', bytes: null }), ['file_too_large ios']],
  ['another status', answered({ status: 404, content: null, bytes: null }), ['wrong_status ios']],
  ['a redirect', answered({ status: 302, content: null, bytes: null }), ['redirected ios']],
  ['a type with a charset', answered({ contentType: 'Application/JSON; charset=utf-8' }), []],
  ['another type', answered({ contentType: 'text/plain' }), ['wrong_content_type ios']],
])('%s', (_, ios, expected) => {
  expect(problemsOf(ios)).toEqual(expected);
});

test('a failure of both files is one problem', () => {
  const failed: FetchedFile = { kind: 'failed', stage: 'unreachable', code: 'ECONNREFUSED' };
  expect(problemsOf(failed, failed)).toEqual(['unreachable null']);
});
