import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { type errorCodes } from '../../src/shared/domain-error';
import { statusOf } from '../../src/http/error-status';
import { aService, type TestService } from '../support/service';

interface Described {
  paths: Record<string, Record<string, Operation>>;
  info: { version: string };
  openapi: string;
}
interface Operation {
  operationId: string;
  security: unknown[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<
    string,
    { headers: object; content: Record<string, { examples?: Record<string, { value: unknown }> }> }
  >;
}

const committed = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as Described;

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('the service serves the committed description, to everybody', async () => {
  const response = await on.api('get', '/openapi.json').expect(200);
  expect(response.body).toEqual(committed);
  expect(committed).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  expect(response.headers).toHaveProperty('x-ratelimit-remaining');
});

test('the page for people is there', async () => {
  const page = await supertest(on.url).get('/api/docs').redirects(1).expect(200);
  expect(page.text).toContain('swagger-ui');
});

const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

test('every operation of the specification is described', () => {
  const project = '/projects/{projectId}';
  const resources = [
    ['/projects', project],
    [`${project}/links`, `${project}/links/{linkId}`],
    [`${project}/ios-apps`, `${project}/ios-apps/{appId}`],
    [`${project}/android-apps`, `${project}/android-apps/{appId}`],
    [`${project}/short-links`, `${project}/short-links/{shortLinkId}`],
  ];
  const all = resources.flatMap(([list, item]) => [
    `GET ${list}`,
    `POST ${list}`,
    `GET ${item}`,
    `PUT ${item}`,
    `DELETE ${item}`,
  ]);
  const qrCodes = [`GET ${project}/links/{linkId}/qr-code`, `GET ${project}/short-links/{shortLinkId}/qr-code`];
  const analytics = [`GET ${project}/analytics`, `GET ${project}/links/{linkId}/analytics`];
  expect(operations.map(([name]) => name).sort()).toEqual(
    [...all.filter((name) => name !== `PUT ${project}/short-links/{shortLinkId}`), ...qrCodes, ...analytics].sort(),
  );
});

test.each(operations)('%s names its errors, headers and examples', (name, operation) => {
  const [method, path] = name.split(' ') as [string, string];
  expect(operation.security).toEqual([{ api_key: [] }]);
  expect(operation.operationId).toMatch(/^[a-z]+[A-Za-z]+$/);
  const success = method === 'POST' ? '201' : '200';
  const statuses = Object.keys(operation.responses);
  expect(statuses).toEqual(expect.arrayContaining([success, '400', '401', '429', '500', '503']));
  if (path.includes('{')) expect(statuses).toEqual(expect.arrayContaining(['403', '404']));
  if (['POST', 'PUT'].includes(method)) {
    expect(statuses).toEqual(expect.arrayContaining(['413', '415']));
    expect(Object.keys(operation.requestBody!.content)).toEqual(['application/json']);
  }
  for (const [status, { headers, content }] of Object.entries(operation.responses)) {
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
    );
    expect('Location' in headers).toBe(status === '201');
    expect('Retry-After' in headers).toBe(status === '429');
    if (Number(status) < 400) continue;
    for (const { value } of Object.values(content['application/json']!.examples!)) {
      const { code } = (value as { error: { code: (typeof errorCodes)[number] } }).error;
      expect(statusOf[code]).toBe(Number(status));
    }
  }
});
