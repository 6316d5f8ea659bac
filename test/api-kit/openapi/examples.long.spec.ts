import { apiDescription, type DescribedContent, type Operation, schemaOf } from '../../support/api-description';
import { inAMonth } from '../../support/builders';
import { fixture } from '../../support/fixtures';
import { exampleFaults } from '../../support/response-validation';
import { type DescribedPlace, DescribedService } from '../../properties/described-place';

const operations = Object.entries(apiDescription.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [operation.operationId, method.toUpperCase(), template, operation] as const,
  ),
);

const jsonOf = (content: Record<string, DescribedContent> = {}): DescribedContent | undefined =>
  content['application/json'];

const successOf = ({ responses }: Operation) => responses['201'] ?? responses['202'] ?? responses['200']!;

const soleExample = (content: DescribedContent): unknown => {
  const examples = Object.values(content.examples ?? {});
  expect(examples).toHaveLength(1);
  return examples[0]!.value;
};

/** Returns the fields of a described object that its example lacks, as paths. */
function missing(value: unknown, given: DescribedContent['schema'], path = ''): string[] {
  const schema = schemaOf(given);
  const inner = [schema, ...(schema.allOf ?? []), ...(schema.anyOf ?? [])].map(schemaOf);
  const properties = inner.flatMap((part) => Object.entries(part.properties ?? {}));
  if (Array.isArray(value)) return value.flatMap((item) => missing(item, schema.items ?? {}, path));
  if (typeof value !== 'object' || value === null) return [];
  return properties.flatMap(([name, field]) =>
    name in value ? missing((value as Record<string, unknown>)[name], field, `${path}.${name}`) : [`${path}.${name}`],
  );
}

/** A field of lists whose total is a lower bound. */
const totalRelation = '.pagination.totalRelation';
/** Conditions and destinations of rules, of which each rule has some. */
const alternative = /\.rules\.(?:when|then)\./;
/** Fields that another one excludes. */
const excluded: Record<string, string[]> = { createImportFromApi: ['.domain', '.group', '.workspace'] };

describe.each(operations)('%s', (id, _method, _template, operation) => {
  test('has a complete example of its body and of its success', () => {
    for (const content of [operation.requestBody?.content, successOf(operation).content].map(jsonOf)) {
      if (!content) continue;
      const example = soleExample(content);
      const lacking = missing(example, content.schema).filter(
        (path) => path !== totalRelation && !alternative.test(path) && !excluded[id]?.includes(path),
      );
      expect([exampleFaults(content.schema, example), lacking]).toEqual([[], []]);
    }
  });

  test('has an example of each parameter and header, which its schema allows', () => {
    const headers = Object.values(operation.responses).flatMap((response) => Object.entries(response.headers));
    const parameters = (operation.parameters ?? []).map((parameter) => [parameter.name, parameter] as const);
    for (const [name, { schema, example = schema.example }] of [...parameters, ...headers]) {
      expect([name, example]).not.toEqual([name, undefined]);
      expect([name, exampleFaults(schema, example)]).toEqual([name, []]);
    }
  });

  test('has an example of each file that is text', () => {
    for (const content of [operation.requestBody?.content, successOf(operation).content])
      for (const [mediaType, { example }] of Object.entries(content ?? {}))
        if (!/^(application\/(json|pdf)$|image\/)/.test(mediaType))
          expect([mediaType, example]).toEqual([mediaType, expect.stringMatching(/\n$/)]);
  });

  test('has examples of its errors that their schema allows', () => {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const { schema, examples } = jsonOf(content)!;
      for (const [name, { value }] of Object.entries(examples!))
        expect([name, exampleFaults(schema, value)]).toEqual([name, []]);
    }
  });
});

const on = new DescribedService();
/** For requests that change nothing. */
const unchanged = fixture(() => on.place());

/** The last digits of the example ids, by their resource. */
const endsOfIds = {
  ...{
    projectId: '01',
    linkId: '02',
    shortLinkId: '03',
    apiKeyId: '04',
    tagId: '06',
    otherTagId: '07',
    importId: '08',
  },
  ...{ memberId: '09', webhookId: '0a', deliveryId: '0b', templateId: '0d', approvalId: 'a9', userId: 'aa' },
  ...{ iosAppId: 'b1', androidAppId: 'b2', domainId: 'd1', shareId: 'e1' },
};
const exampleIds: Record<string, string> = {
  ...Object.fromEntries(
    Object.entries(endsOfIds).map(([name, end]) => [name, `0198c0de-7e57-7000-8000-0000000000${end}`]),
  ),
  subdomain: 'summer-2024',
};

const withRealIds = (text: string, { ids }: DescribedPlace): string =>
  Object.entries(exampleIds)
    .reduce((replaced, [name, id]) => replaced.replaceAll(id, ids[name]!), text)
    // A share must end in the year after its creation.
    .replaceAll('2026-12-04T23:00:00Z', inAMonth());

/** Returns the path parameter that takes an id of the place: `appId` for apps of both platforms, `releaseId` for their releases. */
const parameterOf = (id: string): string =>
  id.replace(/^(?:ios|android)(App|Release)Id$/, (_, kind: string) => `${kind.toLowerCase()}Id`);

const headersOfVisitor = ['user_agent', 'client_hint', 'requested_with'];

/** Returns the query with the examples of all parameters, once for each alternative. */
function queriesOf({ operationId, parameters = [] }: Operation): string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const others = operationId.startsWith('explain') ? headersOfVisitor : [];
  const textOf = (chosen: typeof query) =>
    chosen
      .map(({ name, schema, example }) => [name, example ?? schema.example ?? schema.default] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value as string)}`)
      .join('&');
  const main = textOf(query.filter(({ name }) => !others.includes(name)));
  return others.length > 0 ? [main, textOf(query.filter(({ name }) => others.includes(name)))] : [main];
}

/** Returns the names of all fields with the types of their values; lists by their first item. Null stands for any type. */
function kindOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(kindOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'any' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, kindOf(member)]));
}

/** Returns the paths at which two kinds differ. A list without items and null say nothing about the other kind. */
function differences(one: unknown, other: unknown, path = ''): string[] {
  if (one === 'any' || other === 'any') return [];
  if (Array.isArray(one) && Array.isArray(other))
    return one.length > 0 && other.length > 0 ? differences(one[0], other[0], path) : [];
  if (typeof one !== 'object' || typeof other !== 'object') return one === other ? [] : [path];
  const [a, b] = [one, other] as Record<string, unknown>[];
  return [...new Set([...Object.keys(a!), ...Object.keys(b!)])].flatMap((name) =>
    name in a! && name in b! ? differences(a![name], b![name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

/** Values with free keys, whose names differ from request to request. */
const freeKeys = /\.(?:referrer_params|params|tags|record|options|project_roles|before|after)(?:\.|$)/;

test.each(operations)('%s answers its example as described', async (_, method, template, operation) => {
  const body = jsonOf(operation.requestBody?.content);
  const success = jsonOf(successOf(operation).content);
  const isNeeded = (id: string): boolean =>
    (body !== undefined && JSON.stringify(soleExample(body)).includes(exampleIds[id]!)) ||
    template.includes(`{${parameterOf(id)}}`);
  for (const query of queriesOf(operation)) {
    const place = method === 'GET' || template.endsWith('/explain') ? unchanged : await on.place(isNeeded);
    const path = withRealIds(place.pathOf(template) + (query && `?${query}`), place)
      // The project of the place has no picture.
      .replace(/&logo=[^&]*/, '');
    // The example is that of a publishable key, which never becomes another one.
    if (operation.operationId === 'updateApiKey')
      await on.on.database.query(
        `UPDATE api_keys SET publishable = true, scopes = '{links:create}', allowed_origins = '{https://a.example}',
           destination_hosts = '{a.example}', project_ids = ARRAY[$2::uuid] WHERE id = $1`,
        [place.ids['apiKeyId'], place.ids['projectId']],
      );
    // No link of the place has all properties of the example's filter.
    const json =
      body &&
      withRealIds(JSON.stringify(soleExample(body)), place)
        .replace('"expected_count":12', '"expected_count":0')
        // The example has all fields, but a share excludes a tag beside its link.
        .replace(/"tag_id":"[^"]+",?/, '')
        // The project of the place has no template of this name.
        .replace(/"template":"[^"]+",?/, '');
    const answer = await place.send(method, path, json);
    const successes = Object.keys(operation.responses).filter((status) => status.startsWith('20'));
    expect([successes, answer.text]).toEqual([expect.arrayContaining([String(answer.status)]), answer.text]);
    if (!success) continue;
    const found = differences(kindOf(soleExample(success)), kindOf(answer.body));
    expect(found.filter((where) => !freeKeys.test(where))).toEqual([]);
  }
});
