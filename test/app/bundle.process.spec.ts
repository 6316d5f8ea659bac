import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inSources } from '../../src/platform/observability/source-positions';
import { packageRoot } from '../../src/shared/package-root';
import { databaseOfPrograms, Program } from '../support/process';

const printLoadedFiles = `
  import { createRequire } from 'node:module';
  process.on('exit', () => console.error(JSON.stringify(Object.keys(createRequire('/').cache))));`;
const database = databaseOfPrograms();

test.each(['all', 'api', 'traffic', 'import'])(
  'a start with ROLE=%s loads its packages from the bundle alone',
  async (role) => {
    const service = await Program.serving({
      DATABASE_URL: database.url,
      ROLE: role,
      METRICS_PORT: '0',
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(printLoadedFiles)}`,
    });
    await service.ask('/health/ready');
    await service.stop();
    const loaded = JSON.parse(service.stderr) as string[];
    expect(loaded).toContain(join(packageRoot, 'dist/main.js'));
    expect(loaded.filter((file) => !file.startsWith(join(packageRoot, 'dist/')))).toEqual([]);
  },
);

test('the bundle answers paths that cannot be decoded, and has the pages for agents', async () => {
  const service = await Program.serving({ DATABASE_URL: database.url });
  const paths = ['/api/v1/projects/%ff', '/api/v1/nope/%ff', '/console/%ff'];
  expect(await Promise.all(paths.map(async (path) => (await service.ask(path)).status))).toEqual([401, 401, 400]);
  for (const [page, mediaType, content] of [
    ['llms.txt', 'text/plain; charset=utf-8', /^# Signpost\n/],
    ['api-dynamic-links.md', 'text/markdown; charset=utf-8', /^# Dynamic links\n/],
  ] as const) {
    const { status, headers, text } = await service.ask(`/api/docs/${page}`);
    expect([status, headers['content-type'], text]).toEqual([200, mediaType, expect.stringMatching(content)]);
  }
  await service.stop();
});

describe('a stack trace', () => {
  const file = join(packageRoot, 'dist/main.js');
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('= readConfig();'));
  const column = lines[line]!.indexOf('readConfig();');

  test('names the sources of a bundle', () => {
    const stack = inSources(`Error: x\n    at main (${file}:${line + 1}:${column + 1})\n    at node:internal/x:1:2`);
    const [, sourceLine] = /^Error: x\n {4}at main \(src\/main\.ts:(\d+):\d+\)\n {4}at node:internal\/x:1:2$/.exec(
      stack,
    )!;
    expect(readFileSync(join(packageRoot, 'src/main.ts'), 'utf8').split('\n')[Number(sourceLine) - 1]).toContain(
      'readConfig()',
    );
  });

  test.each([
    ['of a bundle without a map', `at x (${join(packageRoot, 'dist/chunks/no-such-file.js')}:1:2)`],
    ['of other files', `at x (${join(packageRoot, 'src/main.ts')}:1:2)\n    at /elsewhere/dist/main.js:1:2`],
    ['in a long message', `${'/'.repeat(2_000_000)}\n    at x (${join(packageRoot, 'dist')})`],
  ])('keeps positions %s', (_, stack) => expect(inSources(stack)).toBe(stack));
});
