import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const description = `
Manages projects, dynamic links, short links and apps, and nothing that visitors of links see.

- One resource comes as \`{ "data": … }\`, a list as \`{ "data": […], "pagination": … }\`, an error as \`{ "error": { "code", "message", "details" } }\`.
- Checks run in one order on every route: 401, 429, plan of the route, 404 and 403 of the project in the path, 400, 404 of the resource
  in the path, 412, 404 and 403 of resources in the body, plan of a field, quota, 409. A request that fails changes nothing.
- An id that is no UUID names nothing: 404. A project of another account: 403.
- \`search\` is a case-insensitive substring in which \`%\`, \`_\` and \`\\\` are ordinary characters.
- A POST with an \`Idempotency-Key\` may be sent again: for 24 hours the same key (of the account, method and path) with the same body is
  answered as the first time, and creates nothing more. Only answers of success are kept. While the first one still runs: 409
  \`IDEMPOTENCY_CONFLICT\`; with another body: 400.
- GET of one resource has an \`ETag\`. With it in \`If-None-Match\` the resource is sent only if it has changed (304 otherwise); in the
  \`If-Match\` of a PUT or DELETE it refuses to overwrite what somebody else changed meanwhile (412 \`PRECONDITION_FAILED\`).
- Requests are counted a minute and key, or a minute and signed-in person, whatever token; without either a minute and address (a /64 for
  IPv6).
`.trim();

const dashboardToken =
  'A short-lived token of a signed-in person, from the identity provider that the service is connected to. It acts for the ' +
  "person's account, and opens all that an API key opens, and API keys themselves.";

/** The description of the management API, made from the controllers and the body classes themselves. */
export function describeApi(app: INestApplication, apiBaseUrl: URL): OpenAPIObject {
  const settings = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Deep-Link Management API')
    .setVersion('1.0.0')
    .setDescription(description)
    .setLicense('Proprietary', new URL('/api/docs', apiBaseUrl).href)
    .addServer('{origin}/api/v1', 'This service.', { origin: { default: apiBaseUrl.origin } })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'svc_live_…', description: 'An API key.' },
      'api_key',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: dashboardToken },
      'dashboard_token',
    )
    .addTag('Projects', 'Top-level containers, each with the hosts of its links.')
    .addTag('Dynamic links', 'Where visitors of a path are sent, by device.')
    .addTag('Short links', 'Aliases of dynamic links.')
    .addTag('iOS apps', 'Credentials for the Apple association file.')
    .addTag('Android apps', 'Credentials for the Android asset-links file.')
    .addTag('Custom domains', 'Host names of your own for the links of a project.')
    .addTag('QR codes', 'Images of links.')
    .addTag('Analytics', 'How often links were opened, by whom, and from where.')
    .addTag('Account', 'Plan, features and quotas of whoever calls.')
    .addTag('API keys', 'For signed-in people.')
    .build();
  const document = SwaggerModule.createDocument(app, settings, {
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  // Paths are relative to the base address, as in the specification.
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(/^\/api\/v1/, ''), item]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}
