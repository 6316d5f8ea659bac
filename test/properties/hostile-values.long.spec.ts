import { toUri } from '../../src/shared/url';
import { domainToASCII } from 'node:url';
import { foldTag } from '../../src/links/tags/tag';
import { jsonFaultOf } from '../../src/platform/http/json-limits';
import type { Problem } from '../../src/shared/problem';
import type { ApiResponse } from '../support/api-request';
import {
  type DescribedOperation,
  describedOperations,
  type FieldSchema,
  nameOfOperation,
} from '../support/described-operations';
import { type DescribedPlace, DescribedService } from './described-place';
import { breaksRuleInWords, brokenKeywords, isUrl } from './described-values';
import { fixedParameterValues, fixedJsonValues, hostileJson, hostileParameter } from './generate-hostile';
import { fixture } from '../support/fixtures';
import { fc, runs } from '../support/properties';
import { sample } from '../support/scale';
import { words } from '../support/words';

const on = new DescribedService();
const place = fixture(() => on.place());

const send: DescribedPlace['send'] = (...request) => place.send(...request);
const pathOf = (template: string): string => place.pathOf(template);

// A merge takes its tag away, a rotation replaces its key, and operations of bulk requests and conversions are refused one by one. A list of another system is
// stored later, and its token never; `import-from-api.long.spec.ts` has wrong values.
const storing = describedOperations
  .filter(({ template }) => !/\/(?:merge|bulk|by-filter|conversions|from-api|rotate)$/.test(template))
  .flatMap(({ body, ...operation }) => (body ? [{ ...operation, body }] : []));
type WithBody = (typeof storing)[number];

/**
 * Fields that their own specs test. Limits of publishable keys are accepted together only. Projects and templates must exist. A key
 * cannot change allowed hosts. Stores come in one order.
 */
const dependent = [
  ...words('publishable allowed_origins links_per_day project_ids project_roles template destination_hosts'),
  'android_stores',
];

const bodyFields = storing.flatMap((operation) =>
  Object.entries(operation.body.properties)
    .filter(([field]) => !dependent.includes(field))
    .map(([field, schema], at) => [nameOfOperation(operation), field, operation, schema, at] as const),
);

/** Returns a value as it is compared. A tag that the project has already keeps its spelling. */
const compared = (field: string, value: unknown): string =>
  asText(field === 'tags' ? [...new Set((value as string[]).map(foldTag))] : value);

/** Returns the last 32 pairs of hex digits, in upper case with colons. */
const fingerprintOf = (sent: string): string =>
  sent.replaceAll(':', '').slice(-64).toUpperCase().match(/../g)!.join(':');

/** Returns the stored form of a sent value (docs/contract.md, “Bodies and fields”). */
function storedValue(field: string, schema: FieldSchema, sent: unknown): unknown {
  if (sent === null) return null;
  if (isUrl(schema)) return toUri(new URL(sent as string));
  if (schema.format === 'uuid') return (sent as string).toLowerCase();
  if (schema.format === 'date-time') return new Date(sent as string).toISOString();
  if (field === 'hostname') return domainToASCII((sent as string).replace(/^https?:\/\/|\/$/gi, '')).replace(/\.$/, '');
  if (field === 'sha_fingerprints') return [...new Set((sent as string[]).map(fingerprintOf))];
  if (field === 'appstore_id') return (sent as string).replace(/^id/, '');
  return sent;
}

function expectRefusal(answer: ApiResponse, field: string): void {
  expect(answer).toBeRefusedWith('INVALID_INPUT');
  const { details } = (answer.body as { error: { details: Problem[] } }).error;
  expect(details.map(({ path }) => path[0])).toEqual(details.map(() => field));
  expect(details).not.toEqual([]);
}

/** Sends a request with the required fields and `extra`, whose values are JSON text. */
function sendFields(operation: WithBody, extra: Record<string, string>): Promise<ApiResponse> {
  const { method, template, body } = operation;
  // One of two fields is required.
  const required = template === '/account/members' ? ['email' in extra ? 'subject' : 'email'] : body.required;
  const fields = required.filter((name) => !(name in extra));
  const members = [
    ...fields.map((name) => `${JSON.stringify(name)}:${JSON.stringify(place.valid[name]!())}`),
    ...Object.entries(extra).map(([name, json]) => `${JSON.stringify(name)}:${json}`),
  ];
  return send(method, place.urlOf(operation), `{${members.join(',')}}`);
}

/** Returns whether a body with this value is refused as a whole, before field validation. */
const isTooDeep = (json: string): boolean => jsonFaultOf(Buffer.from(`[${json}]`), Infinity) !== null;

/** Compares as text, so that `__proto__`, the order of keys and lone surrogates matter. */
const asText = (value: unknown): string => JSON.stringify(value);

/** Deletes a created resource or replaces an updated value, so that unique values are free again. */
async function revert({ method, body }: WithBody, path: string, field: string): Promise<void> {
  if (method === 'POST') await send('DELETE', path);
  else if (place.valid[field]) {
    const fields = [...body.required, field].map((name) => [name, place.valid[name]!()]);
    await send('PUT', path, asText(Object.fromEntries(fields)));
  }
}

test.each(bodyFields)('%s: %s is refused or stored as sent', async (_, field, operation, schema, at) => {
  const isReference = schema.format === 'uuid';
  const given = isReference ? { ...schema, example: place.valid[field]!() } : schema;
  await fc.assert(
    fc.asyncProperty(hostileJson(given), async (json) => {
      const answer = await sendFields(operation, { [field]: json });
      if (isTooDeep(json)) return void expect(answer).toBeRefusedWith('INVALID_INPUT');
      const sent: unknown = JSON.parse(json);
      if (answer.status === 400) {
        expect([json, brokenKeywords(schema, sent).length > 0 || breaksRuleInWords(field, sent)]).toEqual([json, true]);
        return expectRefusal(answer, field);
      }
      // Links of the same project have created tags with any name.
      if (answer.status === 409 && operation.template.includes('/tags')) return;
      if (isReference && sent !== null && sent !== given.example) return expect(answer.status).toBe(404);
      expect([answer.status, answer.text]).toEqual([operation.creates ? 201 : 200, answer.text]);
      expect(brokenKeywords(schema, sent)).toEqual([]);
      if (operation.method === 'POST' && !operation.creates) return;
      const { data } = answer.body as { data: Record<string, unknown> & { id: string } };
      const path = pathOf(operation.template) + (operation.method === 'POST' ? `/${data.id}` : '');
      const read = (await send('GET', path)).body as { data: Record<string, unknown> };
      // No answer has a password.
      const expected = field === 'password' ? undefined : compared(field, storedValue(field, schema, sent));
      expect([compared(field, data[field]), compared(field, read.data[field])]).toEqual([expected, expected]);
      await revert(operation, path, field);
    }),
    { ...runs(35), examples: sample(fixedJsonValues, at).map((json) => [json]) },
  );
});

/** Returns a body with which the query decides. The body of an upload is checked before its query. */
const bodyOf = (operation: DescribedOperation): string | undefined =>
  nameOfOperation(operation) === 'POST /projects/{projectId}/imports' ? '[]' : place.requiredBodyOf(operation);

// Other operations can succeed only once.
const parameters = describedOperations
  .filter(({ method }) => method === 'GET')
  .flatMap((operation) =>
    Object.entries(operation.query).map(
      ([name, schema], at) => [nameOfOperation(operation), name, operation, schema, at] as const,
    ),
  );

/** Parameters that an explanation accepts together with others only. */
const companions: Record<string, string> = {
  ...Object.fromEntries(
    words('accept_language app_version country host in_app_browser path query referrer variant').map((name) => [
      name,
      'platform=ios',
    ]),
  ),
  client_hint: 'user_agent=x',
  requested_with: 'user_agent=x',
};

test.each(parameters)('%s: the parameter %s is refused or read', async (_, name, operation, schema, at) => {
  const { method, template } = operation;
  const companion = template.endsWith('/explain') ? companions[name] : undefined;
  await fc.assert(
    fc.asyncProperty(hostileParameter(schema), async (value) => {
      const query = `${name}=${value}${companion ? `&${companion}` : ''}`;
      const answer = await send(method, `${pathOf(template)}?${query}`, bodyOf(operation));
      const text = decoded(value);
      if (text === null) return void expect(answer).toBeRefusedWith('INVALID_INPUT');
      if (answer.status === 400) return expectRefusal(answer, name);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      // Outside ASCII, case folding of PostgreSQL and JavaScript differs.
      if (name === 'search' && /^[\0-\x7f]*$/.test(text)) expectFound(answer, text);
    }),
    { ...runs(35), examples: sample(fixedParameterValues, at).map((value) => [value]) },
  );
});

test('a search for any text finds the link that has it in its name', async () => {
  const storable = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .filter((text) => text.isWellFormed() && !text.includes('\0'));
  await fc.assert(
    fc.asyncProperty(storable, async (text) => {
      const name = `<${text}>`;
      expect((await send('PUT', pathOf('/projects/{projectId}/links/{linkId}'), asText({ name }))).status).toBe(200);
      const search = new URLSearchParams({ search: text, limit: '100', sortBy: 'updated_at' }).toString();
      const { body } = await send('GET', `${pathOf('/projects/{projectId}/links')}?${search}`);
      expect((body as { data: { name: string }[] }).data.map((link) => link.name)).toContain(name);
    }),
    runs(60),
  );
});

function expectFound(answer: ApiResponse, search: string): void {
  const { data } = answer.body as { data: Record<string, unknown>[] };
  const has = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(search.toLowerCase());
  expect(data.filter((item) => !Object.values(item).some(has))).toEqual([]);
}

/** Decodes a query value; returns null if it is not percent-encoded UTF-8. */
function decoded(value: string): string | null {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
