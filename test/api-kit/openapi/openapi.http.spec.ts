import { readFileSync } from 'node:fs';
import { type errorCodes, statusOf } from '../../../src/shared/domain-error';
import { apiDescription, openApiPath, schemaOf } from '../../support/api-description';
import { serviceFixture } from '../../support/fixtures';

const committed = apiDescription;

const on = serviceFixture();

test('the service serves the committed openapi.json without a key', async () => {
  const response = await on.api('get', '/openapi.json').expect(200);
  expect(response.body).toEqual(JSON.parse(readFileSync(openApiPath, 'utf8')));
  expect(committed).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  expect(response.headers).toHaveProperty('x-ratelimit-remaining');
});

const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

test('the committed description is smaller than 786 kB, and the served one smaller still', async () => {
  const { text } = await on.api('get', '/openapi.json');
  // A field of links adds 2 kB. Raise the limits for such a change; if it adds more, share its schemas by $ref.
  // Webhooks, with eleven operations and their events, add 38 kB to the served one. Released apps have ten operations, and templates of
  // links five. The way through the store adds 10 kB, variants 9, and pictures and the life of links 10. Previews of pages add 4 kB, and the
  // health of the service 3.
  expect(Buffer.byteLength(readFileSync(openApiPath, 'utf8'))).toBeLessThan(786_000);
  expect(Buffer.byteLength(text)).toBeLessThan(622_000);
});

test('operations are named like methods of a client: verb and resource, plural for many only', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const verbs = {
    GET: 'list|get|explain|check|export',
    POST: 'create|verify|explain|simulate|merge|run|cancel|change|restore|rotate|revoke|send|approve|refuse|test|redeliver|replay',
    PUT: 'update|replace',
    DELETE: 'delete|release',
  };
  const misnamed = operations.filter(([name, { operationId, responses }]) => {
    const verb = verbs[name.split(' ')[0] as keyof typeof verbs];
    const schema = responses['200']?.content?.['application/json']?.schema?.$ref ?? '';
    const isList = schema.endsWith('Page');
    const resource = new RegExp(`^(${verb})([A-Z][A-Za-z]+)$`).exec(operationId)?.[2];
    const isPlural = resource?.endsWith('s') && !resource.endsWith('Analytics');
    const isOfMany = /^(?:export|change|simulate|send)/.test(operationId);
    return resource === undefined || isPlural !== (isList || isOfMany) || operationId.startsWith('list') !== isList;
  });
  expect(misnamed.map(([name, { operationId }]) => [name, operationId])).toEqual([]);
  expect(ids).toEqual(expect.arrayContaining(['createProject', 'listProjects', 'getAccount', 'getDynamicLinkQrCode']));
});

test('request bodies are closed, because the service refuses unknown fields', () => {
  const bodies = operations.flatMap(([name, { requestBody }]) =>
    requestBody?.content['application/json'] && !requestBody.content['text/csv']
      ? [[name, schemaOf(requestBody.content['application/json'].schema)] as const]
      : [],
  );
  expect(bodies.length).toBeGreaterThan(10);
  expect(bodies.filter(([, { additionalProperties }]) => additionalProperties !== false)).toEqual([]);
});

test.each(['BulkCreate', 'BulkUpdate', 'BulkDelete', 'DynamicLinkFilter', 'CreateDynamicLinkBody'])(
  '%s, an object in a body, is closed too',
  (name) => expect(schemaOf({ $ref: `#/components/schemas/${name}` }).additionalProperties).toBe(false),
);

test('objects with free names and objects of responses stay open', () => {
  const open = ['DynamicLink', 'Project', 'ErrorDetail', 'ErrorResponse', 'BulkResult'];
  for (const name of open)
    expect(schemaOf({ $ref: `#/components/schemas/${name}` })).not.toHaveProperty('additionalProperties');
  const { properties } = schemaOf({ $ref: '#/components/schemas/CreateDynamicLinkBody' });
  expect(properties!['referrer_params']).toMatchObject({ additionalProperties: { type: 'string' } });
});

test('both security schemes are described as bearer tokens', () => {
  const { api_key: key, dashboard_token: token } = committed.components.securitySchemes;
  expect(key).toMatchObject({ type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_…' });
  expect(token).toMatchObject({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
});

test.each(operations)('%s describes its errors, headers and examples', (name, operation) => {
  const [method, path] = name.split(' ') as [string, string];
  const isPublic = path === '/api-keys/revoke-leaked';
  const signedInOnly = /^\/account\/(?:api-keys|approvals|members|protection|users)/.test(path);
  const keys = signedInOnly ? [] : [{ api_key: [] }];
  expect(operation.security).toEqual(isPublic ? [] : [...keys, { dashboard_token: [] }]);
  const makes =
    method === 'POST' &&
    !/\/(?:approve|refuse|verify|explain|simulate|from-page|merge|cancel|bulk|by-filter|conversions|restore|revoke-leaked|test|redeliver|replay)$/.test(
      path,
    );
  const success =
    path.includes('/imports') && !path.endsWith('/cancel') && method === 'POST' ? '202' : makes ? '201' : '200';
  const statuses = Object.keys(operation.responses);
  expect(statuses).toEqual(expect.arrayContaining([success, '400', '429', '500', '503']));
  const codesOf401 = Object.keys(operation.responses['401']?.content!['application/json']!.examples ?? {});
  expect(codesOf401.includes('UNAUTHORIZED')).toBe(!isPublic);
  expect(codesOf401.includes('AUTH_REQUIRED')).toBe(signedInOnly);
  if (path.includes('{projectId}')) expect(statuses).toEqual(expect.arrayContaining(['403', '404']));
  const takesBody =
    method === 'PUT' ||
    (method === 'POST' && !/\/(?:approve|refuse|verify|run|cancel|rotate-secret|test|redeliver)$/.test(path));
  expect(operation.requestBody !== undefined).toBe(takesBody);
  if (takesBody) {
    expect(statuses).toEqual(expect.arrayContaining(['413', '415']));
    const types = Object.keys(operation.requestBody!.content).sort();
    if (path.endsWith('/pictures')) expect(types).toEqual(['image/jpeg', 'image/png', 'image/webp']);
    else {
      const files = path.endsWith('/imports') ? ['text/csv', 'application/x-ndjson'] : [];
      expect(types).toEqual(['application/json', ...files].sort());
    }
  }
  for (const [status, { headers, content }] of Object.entries(operation.responses)) {
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
    );
    expect('Location' in headers).toBe(status === '201' || (status === '202' && takesBody));
    const takesIdempotencyKey =
      operation.parameters?.some((parameter) => parameter.name === 'Idempotency-Key') ?? false;
    expect('Idempotent-Replayed' in headers).toBe(takesIdempotencyKey && status === success);
    expect('Retry-After' in headers).toBe(status === '429');
    if (Number(status) < 400) continue;
    for (const { value } of Object.values(content!['application/json']!.examples!)) {
      const { code } = (value as { error: { code: (typeof errorCodes)[number] } }).error;
      expect(statusOf[code]).toBe(Number(status));
    }
  }
});
