import { appGroupings, groupings } from '../../src/clicks/statistics/statistics';
import type { Problem } from '../../src/shared/problem';
import type { ApiResponse } from '../support/api-request';
import type { Schema } from '../support/api-description';
import { unknownId } from '../support/builders';
import { changingNothing } from '../support/content';
import { type DescribedOperation, describedOperations, nameOfOperation } from '../support/described-operations';
import { fixture, serviceFixture } from '../support/fixtures';
import { fc, runs } from '../support/properties';
import type { TestService } from '../support/service';
import { DescribedService } from './described-place';
import { brokenKeywords, invalidValue, possibleCodes, validValue } from './described-values';

const on = new DescribedService();
const place = fixture(() => on.place());

const operations = describedOperations.map((operation) => [nameOfOperation(operation), operation] as const);
const uploads = ['POST /projects/{projectId}/imports', 'POST /projects/{projectId}/pictures'];
const fromApi = 'POST /projects/{projectId}/imports/from-api';
/**
 * Operations of bulk requests and conversions are refused one by one, so the description of their fields does not decide. Lists of other systems
 * have a table of wrong bodies in `import-from-api.long.spec.ts`.
 */
const withBody = operations.filter(
  ([name, { body, template }]) => body && !/\/(?:bulk|conversions)/.test(template) && name !== fromApi,
);
/** A merge takes its tag away, so that it succeeds once. */
const repeatable = withBody.filter(([, { template }]) => !template.endsWith('/merge'));
/** A deletion succeeds once. Each upload makes an import, whose parameters `imports.http.spec.ts` checks. */
const withQuery = operations.filter(
  ([name, { method, query }]) => Object.keys(query).length > 0 && !uploads.includes(name) && method !== 'DELETE',
);

/** An approval and a run of an import succeed once. */
const repeatableQueries = withQuery.filter(([, { template }]) => !/\/(?:approve|run)$/.test(template));

function validFields(fields: Record<string, Schema>, required: string[]): fc.Arbitrary<Record<string, unknown>> {
  const given = { ...place.valid, timezone: () => 'Pacific/Chatham' };
  const values = Object.entries(fields).map(([name, schema]) => [name, validValue(name, schema, given)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: required });
}

type Fit = Record<string, (values: Record<string, unknown>) => unknown>;

/** Rules about several parameters, which no schema states, by the last part of the path. They remove what does not go together. */
const parametersTogether: Fit = {
  explain: (query) => {
    // The host is one of the project's.
    delete query['host'];
    if (query['platform'] === undefined) {
      query['user_agent'] ??= 'Mozilla/5.0';
      delete query['in_app_browser'];
    } else {
      delete query['user_agent'];
      delete query['client_hint'];
      delete query['requested_with'];
    }
    // Together they would exceed the limit of a request's head.
    for (const name of ['client_hint', 'requested_with', 'accept_language', 'path'])
      if (queryOf(query).length > 10_000) delete query[name];
    if (queryOf(query).length > 10_000) delete query['query'];
  },
  analytics: (query) => {
    // One end is enough: the default of the other one makes a period of a month.
    delete query['from'];
    // Each metric has groups of its kind.
    const isApps = query['metric'] === 'opens' || query['metric'] === 'claims';
    const known: readonly unknown[] = isApps ? appGroupings : groupings;
    if (!known.includes(query['group_by'])) delete query['group_by'];
    // Both ends of the compared period go together.
    delete query['compare_from'];
    delete query['compare_to'];
    for (const [name, value] of Object.entries(query))
      // Opens have few properties, and a URL has a limited length.
      if (isApps && !appParameters.includes(name)) delete query[name];
      else if (Array.isArray(value)) query[name] = value.slice(0, 2);
  },
  conversions: (query) => delete query['from'],
  'store-funnel': (query) => delete query['from'],
  clicks: (query) => {
    delete query['from'];
    // Only the service writes cursors.
    delete query['cursor'];
  },
  export: (query) => {
    // The pattern allows the 31st of February.
    if (query['date'] !== undefined) query['date'] = '2026-02-28';
  },
  'qr-code': (query) => {
    query['color'] = '000000';
    query['background'] = 'ffffff';
    // The code of a long URL needs more pixels than the smallest size has.
    query['size'] = Math.max(512, Number(query['size'] ?? 512));
    // The project has no such picture.
    delete query['logo'];
    // A frame has a text that can be drawn.
    if (query['frame'] !== undefined) query['frame'] = 'Scan me';
  },
};

/** Parameters of statistics of opens and claims. */
const appParameters = 'to interval timezone metric group_by format include_bots platform country link_id'.split(' ');

/** Limits of publishable keys, which go together. */
const withoutPublishable = (body: Record<string, unknown>): void => {
  for (const field of ['publishable', 'allowed_origins', 'links_per_day']) delete body[field];
};

/** Rules about several fields, which no schema states. They remove what does not go together. */
const fieldsTogether: Fit = {
  'POST /account/api-keys': withoutPublishable,
  'PUT /account/api-keys/{apiKeyId}': withoutPublishable,
  // The other URLs of the body must be in the list.
  'POST /projects': (body) => delete body['destination_hosts'],
  'PUT /projects/{projectId}': (body) => delete body['destination_hosts'],
  // A share has one subject, and ends within a year.
  'POST /projects/{projectId}/shares': (body) => {
    body['expires_at'] = place.valid['expires_at']!();
    delete body['tag_id'];
  },
  // The service refuses `http`, unless a setting allows it.
  'POST /account/webhooks': (body) => (body['url'] = place.valid['url']!()),
  'PUT /account/webhooks/{webhookId}': (body) => (body['url'] = place.valid['url']!()),
  'POST /account/members': (body) => {
    if (body['subject'] === undefined) body['email'] ??= place.valid['email']!();
  },
  'PUT /projects/{projectId}/custom-domains/{domainId}': (body) => {
    // A domain is active or the open host.
    if (body['open_host'] === true) body['active'] = false;
    else if (body['active'] === true) body['open_host'] = false;
  },
};

const fit = (rule: Fit[string] | undefined, values: Record<string, unknown>): Record<string, unknown> => {
  const fitted = { ...values };
  rule?.(fitted);
  return fitted;
};
const fitBody = (name: string, fields: Record<string, unknown>) => {
  // The project has no template.
  const { active_until: until, template: _template, ...fitted } = fit(fieldsTogether[name], fields);
  // A link must begin before it ends.
  return until === undefined || 'active_from' in fitted ? fitted : { ...fitted, active_until: until };
};
const fitQuery = (name: string, query: Record<string, unknown>) =>
  fit(parametersTogether[name.split('/').at(-1)!], query);

const queryOf = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`))
    .join('&');

/** A parameter that may be repeated is a list of values. */
const partOf = (schema: Schema): Schema => schema.items ?? schema;

const successOf = ({ creates }: DescribedOperation): number => (creates ? 201 : 200);

/** Deletes what a generated request created, so that later ones do not meet its names. */
async function undo(path: string, answer: Pick<ApiResponse, 'status' | 'body'>): Promise<void> {
  const list = path.replace(/\/[^/]+\/rotate$/, '');
  // The rotation of a secret creates no resource.
  if (answer.status === 201 && !path.endsWith('/rotate-secret'))
    await place.send('DELETE', `${list}/${(answer.body as { data: { id: string } }).data.id}`);
}

test.each(repeatable)('%s accepts every body that the description allows', async (name, operation) => {
  const { method, body } = operation;
  const path = place.urlOf(operation);
  await fc.assert(
    fc.asyncProperty(validFields(body!.properties, body!.required), async (fields) => {
      const answer = await place.send(method, path, JSON.stringify(fitBody(name, fields)));
      await undo(path, answer);
      // A name can be taken or reserved by chance, which is no fault of the body.
      if (answer.status === 409) return;
      expect([answer.status, answer.text]).toEqual([successOf(operation), answer.text]);
    }),
    runs(60),
  );
});

test.each(withBody)('%s refuses every body that the description forbids', async (name, operation) => {
  const { method, body } = operation;
  const path = place.urlOf(operation);
  const { properties, required } = body!;
  const wrong = fc
    .constantFrom(...Object.keys(properties))
    .chain((field) => invalidValue(properties[field]!).map((value) => [field, value] as const));
  await fc.assert(
    fc.asyncProperty(validFields(properties, required), wrong, async (fields, [field, value]) => {
      const answer = await place.send(method, path, JSON.stringify({ ...fitBody(name, fields), [field]: value }));
      await undo(path, answer);
      expectProblem(answer, field, possibleCodes(brokenKeywords(properties[field]!, value)));
    }),
    runs(100),
  );
  for (const field of required) {
    const { [field]: _left, ...others } = fc.sample(validFields(properties, required), 1)[0]!;
    expectProblem(await place.send(method, path, JSON.stringify(others)), field, ['required']);
  }
  const closed = { ...fc.sample(validFields(properties, required), 1)[0]!, not_described: 1 };
  expect(await place.send(method, path, JSON.stringify(closed))).toBeRefusedWith('FORBIDDEN_FIELD');
});

test.each(repeatableQueries)('%s accepts every query that the description allows', async (name, operation) => {
  const { method, template, query } = operation;
  const path = place.pathOf(template);
  await fc.assert(
    fc.asyncProperty(validFields(query, []), async (generated) => {
      const sent = fitQuery(name, generated);
      const answer = await place.send(method, `${path}?${queryOf(sent)}`, place.requiredBodyOf(operation));
      await undo(path, answer);
      expect([sent, answer.status, answer.body]).toEqual([sent, successOf(operation), answer.body]);
    }),
    runs(60),
  );
});

test.each(withQuery)('%s refuses every query that the description forbids', async (name, operation) => {
  const { method, template, query } = operation;
  const wrong = fc
    .constantFrom(...Object.keys(query))
    .chain((field) => invalidText(partOf(query[field]!)).map((value) => [field, value] as const));
  await fc.assert(
    fc.asyncProperty(validFields(query, []), wrong, async (generated, [field, value]) => {
      // The longest values fit into a request alone.
      const sent = { ...(value.length < 4000 && fitQuery(name, generated)), [field]: value };
      const path = `${place.pathOf(template)}?${queryOf(sent)}`;
      const answer = await place.send(method, path, place.requiredBodyOf(operation));
      const schema = partOf(query[field]!);
      expectProblem(answer, field, possibleCodes(brokenKeywords(schema, asTyped(schema, value))));
    }),
    runs(100),
  );
});

/** Returns the value that a text in a query stands for. */
function asTyped({ type }: Schema, text: string): unknown {
  if (type === 'integer' && /^-?[0-9]+$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Generates texts that stand for no valid value. */
const invalidText = (schema: Schema): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.constantFrom(
        ...fc.sample(invalidValue(schema), 50).map((value) => (typeof value === 'object' ? '' : `${value as string}`)),
        ...['', 'x', '1e1', '\u0000'],
      ),
    )
    .filter((text) => brokenKeywords(schema, asTyped(schema, text)).length > 0);

function expectProblem(answer: ApiResponse, field: string, codes: string[]): void {
  expect(answer).toBeRefusedWith('INVALID_INPUT');
  const { details } = (answer.body as { error: { details: Problem[] } }).error;
  expect(details.map(({ path }) => path[0])).toEqual(details.map(() => field));
  expect([codes, details.filter(({ code }) => !codes.includes(code))]).toEqual([codes, []]);
}

/** The address of a picture makes a repeated upload harmless. */
const creating = operations.filter(([name, { creates }]) => creates && !uploads.includes(name));

test.each(creating)('%s with a repeated Idempotency-Key creates nothing again', async (_, operation) => {
  const path = place.urlOf(operation);
  const send = () =>
    on.on
      .api('post', path, place.credentialFor(path))
      .set('Idempotency-Key', `repeated-${operation.template.replaceAll(/\W/g, '')}`)
      .type('json')
      .send(json);
  const json = place.requiredBodyOf(operation);
  const first = await send();
  expect([first.status, first.text, first.headers['idempotent-replayed']]).toEqual([201, first.text, undefined]);
  const again = await changingNothing(on.on, send);
  // Secrets are shown once. The address of a share is one.
  const secret = operation.template.endsWith('/shares') ? 'url' : '(?:key|secret)';
  const shown = first.text.replace(new RegExp(`("${secret}":)"[^"]+"`), '$1null');
  expect([again.status, again.text]).toEqual([201, shown]);
  expect(again.headers).toMatchObject({ location: first.headers['location'], 'idempotent-replayed': 'true' });
  await undo(path, first);
});

describe('every answer', () => {
  const limited = serviceFixture({ RATE_LIMIT_PER_MINUTE: '1' }, () => on.on.database);
  beforeAll(async () => {
    limited.clock.stop();
    await limited.api('get', '/projects', place.account.key).expect(200);
  });

  test.each(operations)('of %s stays out of shared caches, and has the rate limit', async (name, operation) => {
    const { method, template, query, body } = operation;
    // Some changes can be made once.
    const isRepeatable = method === 'GET' || method === 'PUT' || operation.creates;
    const { ids, pathOf, requiredBodyOf, credentialFor } = isRepeatable
      ? place
      : await on.place((id) => template.includes(`{${id}}`) || /AppId|ReleaseId|otherTagId/.test(id));
    const path = pathOf(template);
    const key = credentialFor(path);
    const valid = `${path}?${queryOf(fitQuery(name, body && 'platform' in query ? { platform: 'ios' } : {}))}`;
    const send = async (service: TestService, to: string, headers: Record<string, string>) => {
      const json = requiredBodyOf(operation);
      const response = await fetch(`${service.url}/api/v1${to}`, {
        method,
        headers: { ...headers, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
        ...(json !== undefined && { body: json }),
      });
      await response.arrayBuffer();
      return response;
    };
    const withKey = (to: string, headers = {}) => send(on.on, to, { Authorization: `Bearer ${key}`, ...headers });
    const answers = [
      await send(on.on, path, {}),
      await send(limited, path, { Authorization: `Bearer ${place.account.key}` }),
      await withKey(`${path}?unknown=1`),
    ];
    const expected = [template === '/api-keys/revoke-leaked' ? 200 : 401, 429, 400];
    const missing = Object.values(ids).reduce((replaced, id) => replaced.replace(id, unknownId), path);
    if (missing !== path) {
      answers.push(await withKey(missing));
      expected.push(404);
    }
    const success = await withKey(valid);
    answers.push(success);
    // The body of an upload is a file.
    expected.push(uploads.includes(name) ? 400 : success.ok ? success.status : 200);
    const tag = success.headers.get('ETag');
    if (method === 'GET' && tag) {
      answers.push(await withKey(valid, { 'If-None-Match': tag }));
      expected.push(304);
    }
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const { headers } of answers) {
      expect(['private, no-cache', 'private, no-store', 'no-store']).toContain(headers.get('Cache-Control'));
      expect(headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/);
      expect(headers.get('X-RateLimit-Remaining')).toMatch(/^\d+$/);
      expect(headers.get('X-RateLimit-Reset')).toMatch(/^\d{13}$/);
    }
  });
});
