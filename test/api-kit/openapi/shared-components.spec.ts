import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { aTemporaryFolder } from '../../support/temporary-folder';

const header = { description: 'Id of the request.', schema: { type: 'string' } };
const gone = { summary: 'It is gone', value: { error: { code: 'NOT_FOUND' } } };
const id = (what: string) => ({ name: 'appId', in: 'path', description: `Id of the ${what}.` });

const notFound = () => ({
  description: 'It is gone',
  headers: { 'X-Request-Id': { ...header } },
  content: { 'application/json': { examples: { NOT_FOUND: { ...gone } } } },
});
const operation = (tag: string, ...parameters: object[]) => ({
  tags: [tag],
  parameters,
  responses: {
    200: {
      description: `One of the ${tag}`,
      headers: { 'X-Request-Id': { ...header }, ETag: { description: `Tag of ${tag}.` } },
    },
    404: notFound(),
  },
});

/** A document in which some definitions are repeated, and some only have the same name. */
const aDocument = () =>
  ({
    openapi: '3.1.0',
    info: { title: 'Apps', version: '1.0.0' },
    components: { schemas: { App: { type: 'object' } } },
    paths: {
      '/ios/{appId}': { get: operation('iOS apps', id('iOS app')), put: operation('iOS apps', id('iOS app')) },
      '/android/{appId}': {
        get: operation('Android apps', id('Android app')),
        put: operation('Android apps', id('Android app'), { name: 'If-Match', in: 'header' }),
      },
    },
  }) as unknown as OpenAPIObject;

const folder = aTemporaryFolder();

function compare(before: object, after: object): { lines: string[]; code: number | null } {
  const paths = [before, after].map((document, at) => {
    const path = join(folder, `${at}.json`);
    writeFileSync(path, JSON.stringify(document));
    return path;
  });
  const script = join(__dirname, '../../../scripts/compare-descriptions.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, ...paths], { encoding: 'utf8' });
  return { lines: stdout.split('\n').filter(Boolean), code: status };
}

test('the comparison names what was removed, changed and added', () => {
  const after = aDocument() as unknown as { paths: Record<string, Record<string, ReturnType<typeof operation>>> };
  const { get, put } = after.paths['/ios/{appId}']!;
  get!.responses[404].content['application/json'].examples.NOT_FOUND.summary = 'It never was';
  put!.parameters = [];
  after.paths['/android/{appId}']!['delete'] = operation('Android apps');
  expect(compare(aDocument(), after)).toEqual({
    lines: [
      'changed paths > /ios/{appId} > get > responses > 404 > content > application/json > examples > NOT_FOUND > summary: "It is gone" -> "It never was"',
      expect.stringMatching(/^removed paths > \/ios\/\{appId\} > put > parameters > path appId: /),
      expect.stringMatching(/^added paths > \/android\/\{appId\} > delete: /),
    ],
    code: 1,
  });
  const { '/ios/{appId}': ios } = aDocument().paths;
  const onlyMore = compare({ ...aDocument(), paths: { '/ios/{appId}': ios } }, aDocument());
  expect(onlyMore).toEqual({ lines: [expect.stringMatching(/^added paths > \/android/)], code: 0 });
});
