import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { licenceOfThis } from '../../shared/package-root';
import { operationIdOf } from '../policy/operation-id';
import { addExamples } from './complete-examples';
import { operationsOf, type DescribedSchema } from './described-operation';
import { ErrorResponse } from './error-response';
import { describeKinds } from './operation-kinds';
import { shareComponents } from './shared-components';

const description = `
Manages projects, dynamic links, short links and apps. Visitors of links never call this API.

- A resource is returned as \`{ "data": … }\`, a list as \`{ "data": […], "pagination": … }\`, an error as \`{ "error": { "code", "message", "details" } }\`.
- Checks run in this order on every operation: credential (401), rate limit (429), scope or role (403), plan of the operation (403), project in
  the path (404, 403), body and query (400), resource in the path (404), \`If-Match\` (412), resources in the body (404, 403), plan of a field
  (403), quota (403), conflicts (409). A request that fails changes nothing.
- An id that is not a UUID returns 404. A project of another account returns 403.
- Lengths of texts count Unicode code points. Patterns are regular expressions of ECMAScript with the flag \`u\`. The format \`uri\` means an
  absolute URL by the WHATWG URL Standard, and \`uuid\` the form with hyphens in any letter case.
- \`search\` is a case-insensitive substring in which composed and decomposed characters are alike.
- A POST with an \`Idempotency-Key\` can be repeated safely. For 24 hours the same key with the same body returns the first response and
  creates nothing. A key belongs to one account and one operation with its path parameters. Only successful responses are kept.
  While the first request runs, others get 409 \`IDEMPOTENCY_CONFLICT\`. The same key with another body gets 400.
- The response to a GET or PUT of one resource has an \`ETag\`. A PUT that changes nothing keeps \`updated_at\` and the tag. A GET with
  this tag in \`If-None-Match\` returns 304 if the resource is unchanged.
  A PUT or DELETE with this tag in \`If-Match\` returns 412 \`PRECONDITION_FAILED\` if the resource has changed. Thus it cannot overwrite
  the change of another client.
- The rate limit applies to the requests of one minute. It counts them per API key, or per signed-in user over all tokens of the user.
  A user has a higher limit than a key. The headers of each response state the limit.
  Requests without a credential are counted per client address. An IPv6 address counts as its /64 network.
`.trim();

const dashboardToken =
  'A short-lived token of a signed-in user, issued by the configured identity provider. It acts for the ' +
  "user's account. Its operations depend on the role of the user.";

const webhookHeader = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string', example },
});

/** The requests that the service sends to endpoints of others. */
const describedWebhooks = {
  event: {
    post: {
      operationId: 'receiveEvent',
      security: [],
      summary: 'An event',
      description:
        'Signed by Standard Webhooks 1.0. Answer with a status from 200 to 299 within 10 seconds. Every event arrives at least once, and ' +
        'those of one resource in order.',
      parameters: [
        webhookHeader(
          'webhook-id',
          'The same for each repetition of the event.',
          '0198c0de-7e57-7000-8000-00000000000a_4712',
        ),
        webhookHeader(
          'webhook-timestamp',
          'Seconds since 1970. Refuse those that differ by more than five minutes.',
          '1780317045',
        ),
        webhookHeader(
          'webhook-signature',
          'Signatures, with spaces between them. One of them must match.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/CloudEvent' } } },
      },
      responses: { '2XX': { description: 'The event is not sent again.' } },
    },
  },
};

/** Builds the OpenAPI document from the controllers and body classes. */
export function describeApi(app: INestApplication, apiBaseUrl: URL): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Deep-Link Management API')
    .setVersion('1.0.0')
    .setDescription(description)
    .addServer('{origin}/api/v1', 'This service.', { origin: { default: apiBaseUrl.origin } })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_…', description: 'An API key.' },
      'api_key',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: dashboardToken },
      'dashboard_token',
    )
    .addTag('Projects', 'Top-level containers of links and apps. Each project has the hosts of its links.')
    .addTag('Dynamic links', 'Paths that send each visitor to a destination for the device.')
    .addTag('Pictures', 'Social pictures of dynamic links, which their link hosts serve.')
    .addTag('Link templates', 'Parameters and rules that many dynamic links have.')
    .addTag('Tags', 'Words that group dynamic links for people, lists and statistics.')
    .addTag('Imports', 'Links from files of this and other systems, with a dry run and a report for each row.')
    .addTag('Short links', 'Additional short paths of dynamic links.')
    .addTag('iOS apps', 'Apps with their credentials for the Apple association file.')
    .addTag('Android apps', 'Apps with their credentials for the Android asset-links file.')
    .addTag('Custom domains', 'Host names that you control, for the links of a project.')
    .addTag('QR codes', 'Images of QR codes that open links.')
    .addTag('Analytics', 'Numbers of clicks on links, by device, place and other properties.')
    .addTag('Conversions', 'Purchases, registrations and other results of visits.')
    .addTag('Account', 'Plan, features and quotas of the calling account.')
    .addTag('API keys', 'API keys of the account. Only signed-in users can manage them.')
    .addTag('Approvals', 'Changes that wait for a second person.')
    .addTag('Webhooks', 'Endpoints that get events, and the log of their deliveries.')
    .addTag('Members', 'People with roles in the account. Only signed-in users can manage them.')
    .build();
  const document = SwaggerModule.createDocument(app, settings, {
    operationIdFactory: operationIdOf,
    extraModels: [ErrorResponse],
  });
  // The specification gives paths relative to the base URL.
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(/^\/api\/v1/, ''), item]);
  const described = {
    ...document,
    info: { ...document.info, license: { name: licenceOfThis() } },
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    webhooks: describedWebhooks,
  };
  describeKinds(described);
  describeFileBodies(described);
  closeBodies(described);
  moveExceptions(described);
  addExamples(described);
  return shareComponents(described);
}

/** Moves the exceptions of parameters into their schemas. */
function moveExceptions(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.not !== undefined) {
        parameter.schema = { ...parameter.schema, not: parameter.not };
        delete parameter.not;
      }
}

const row = { name: 'Summer sale', custom_path: 'summer/sale' };

/** Describes the JSON form of bodies that are files, and gives each form an example. The others are text. */
function describeFileBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const content = operation.requestBody?.content;
    if (!content?.['text/csv'] || !content['application/json']) continue;
    Object.assign(content['application/json'], {
      // Without a type, so that a generated client takes files of all forms.
      schema: { description: 'An array of objects, or an object that has one.' },
      examples: { rows: { value: [row] } },
    });
    Object.assign(content['text/csv'], { example: `name,custom_path\r\n${row.name},${row.custom_path}\r\n` });
    Object.assign(content['application/x-ndjson'] ?? {}, { example: `${JSON.stringify(row)}\n` });
  }
}

/**
 * Closes the schemas of request bodies and of the objects in them, because the service refuses fields that it does not know. An
 * object that says which further fields it has, such as one with free names, stays as it is.
 */
export function closeBodies(document: OpenAPIObject): void {
  const seen = new Set<DescribedSchema>();
  const close = (schema: DescribedSchema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.$ref) close(document.components!.schemas![schema.$ref.split('/').at(-1)!] as DescribedSchema);
    if (schema.properties) schema.additionalProperties ??= false;
    const { items, properties = {}, oneOf = [], allOf = [] } = schema;
    for (const part of [...(items ? [items] : []), ...Object.values(properties), ...oneOf, ...allOf]) close(part);
  };
  for (const { operation } of operationsOf(document)) {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema) close(schema);
  }
}
