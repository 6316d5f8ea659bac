import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const description = `
Manages projects, dynamic links, short links and apps. Visitors of links never call this API.

- A resource is returned as \`{ "data": … }\`, a list as \`{ "data": […], "pagination": … }\`, an error as \`{ "error": { "code", "message", "details" } }\`.
- Checks run in one order on every route: 401, 429, the route's plan, 404 and 403 of the project in the path, 400, 404 of the resource in
  the path, 412, 404 and 403 of resources in the body, the field's plan, quota, 409. A request that fails changes nothing.
- An id that is not a UUID returns 404. A project of another account returns 403.
- \`search\` is a case-insensitive substring in which \`%\`, \`_\` and \`\\\` are ordinary characters.
- A POST with an \`Idempotency-Key\` can be repeated safely. For 24 hours the same key with the same body returns the first response and
  creates nothing. A key belongs to one account, method and path. Only successful responses are kept. While the first request
  runs, others get 409 \`IDEMPOTENCY_CONFLICT\`. The same key with another body gets 400.
- A GET of one resource has an \`ETag\`. Sent in \`If-None-Match\`, it makes an unchanged resource return 304. Sent in \`If-Match\` of a PUT
  or DELETE, it keeps the request from overwriting somebody else's change: 412 \`PRECONDITION_FAILED\`.
- The rate limit counts requests per minute and API key, or per signed-in user over all of their tokens. Requests without a credential
  are counted per address, which is a /64 network for IPv6.
`.trim();

const dashboardToken =
  'A short-lived token of a signed-in user, issued by the configured identity provider. It acts for the ' +
  "user's account. It can do what an API key can do, and manage API keys.";

/** Builds the OpenAPI document from the controllers and body classes. */
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
    .addTag('Custom domains', 'Your own host names for the links of a project.')
    .addTag('QR codes', 'Images of links.')
    .addTag('Analytics', 'How often links were opened, from which devices and where.')
    .addTag('Account', 'Plan, features and quotas of the calling account.')
    .addTag('API keys', 'For signed-in users.')
    .build();
  const document = SwaggerModule.createDocument(app, settings, {
    operationIdFactory: (controller, method) => `${method}${controller.replace(/Controller$/, '')}`,
  });
  // The specification gives paths relative to the base URL.
  const paths = Object.entries(document.paths).map(([path, item]) => [path.replace(/^\/api\/v1/, ''), item]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}
