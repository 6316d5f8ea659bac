import type {
  AndroidApp,
  CustomDomain,
  IosApp,
  LinkTemplate,
  ShortLink,
  Tag,
  Webhook,
} from '../../clients/typescript/src/index';
import type { DnsServer } from './dns-server';
import { eventually } from './eventually';
import { needsImports } from './imports';
import type { TestService } from './service';

let count = 0;

/** Returns a name that is unique within the worker, whose databases no other worker uses. */
export const unique = (prefix: string): string => `${prefix}-${(++count).toString(36)}`.toLowerCase();

export interface ProjectBody {
  id: string;
  name: string;
  subdomain: string;
  user_id: string;
  created_at: string;
  updated_at: string;
}

export type LinkBody = Record<string, unknown> & { id: string; custom_path: string; full_url: string };

type Fields = Record<string, unknown>;

/** Creates a project over HTTP. */
export const aProject = (on: TestService, key: string, fields: Fields = {}): Promise<ProjectBody> =>
  created(on, key, '/projects', { name: 'A project', subdomain: unique('p'), ...fields });

/** Makes a function that creates a resource of a project over HTTP. */
const builderOf =
  <T>(list: string, defaults: () => Fields) =>
  (on: TestService, key: string, projectId: string, fields: Fields = {}): Promise<T> =>
    created(on, key, `/projects/${projectId}/${list}`, { ...defaults(), ...fields });

export const aDynamicLink = builderOf<LinkBody>('links', () => ({
  name: 'A link',
  desktop_url: 'https://example.com/desktop',
}));
export const anIosApp = builderOf<IosApp>('ios-apps', () => ({
  name: 'An iOS app',
  bundle_id: `com.example.${unique('app')}`,
  team_id: 'ABCDE12345',
}));
export const anAndroidApp = builderOf<AndroidApp>('android-apps', () => ({
  name: 'An Android app',
  package_name: `com.example.${unique('app').replaceAll('-', '_')}`,
  sha_fingerprints: [aFingerprint(0)],
}));
export const aTag = builderOf<Tag>('tags', () => ({ name: unique('Tag') }));
export const aTemplate = builderOf<LinkTemplate>('link-templates', () => ({ name: unique('Template') }));

/** A time at which a share may end. */
export const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString();

/** Shares the statistics of a project over HTTP. */
export const aShare = builderOf<{ id: string; name: string; url: string }>('shares', () => ({
  name: unique('Share'),
  expires_at: inAMonth(),
}));

/** Creates a webhook over HTTP, which sends nothing. */
export const aWebhook = (on: TestService, key: string): Promise<Webhook> =>
  created(on, key, '/account/webhooks', { url: 'https://hooks.example.com/events', enabled: false });

/** Stores a delivery that has ended, and returns its id. */
export async function aDelivery(on: TestService, webhookId: string): Promise<string> {
  const [row] = await on.database.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (id, endpoint_id, sequence, part, type, state, attempts)
     VALUES (gen_random_uuid(), $1, 1, 0, 'project.created', 'delivered', 1) RETURNING id`,
    [webhookId],
  );
  return row!.id;
}

/** Creates a short link over HTTP. */
export const aShortLink = (
  on: TestService,
  key: string,
  projectId: string,
  dynamicLinkId: string,
  fields: Fields = {},
): Promise<ShortLink> =>
  created(on, key, `/projects/${projectId}/short-links`, { dynamic_link_id: dynamicLinkId, ...fields });

/** Returns an unused host name. */
export const aHostname = (): string => `${unique('links')}.example.com`;

/** Creates a custom domain over HTTP. */
export const aCustomDomain = (
  on: TestService,
  key: string,
  projectId: string,
  hostname = aHostname(),
): Promise<CustomDomain> => created(on, key, `/projects/${projectId}/custom-domains`, { hostname });

/** Creates a custom domain, publishes its record, and verifies and optionally activates the domain. */
export async function aVerifiedDomain(
  on: TestService,
  dns: DnsServer,
  key: string,
  projectId: string,
  { hostname = aHostname(), active = false } = {},
): Promise<CustomDomain> {
  const { id, verification_record: record } = await aCustomDomain(on, key, projectId, hostname);
  dns.publish(record.name, record.value);
  const path = `/projects/${projectId}/custom-domains/${id}`;
  await on.api('post', `${path}/verify`, key).expect(200);
  return updated(on, key, path, { active });
}

/** Creates an API key over HTTP, as the person of the token. */
export const anApiKey = (
  on: TestService,
  token: string,
  fields: object = {},
): Promise<{ id: string; key: string; expires_at: string | null }> =>
  created(on, token, '/account/api-keys', { name: 'Key', ...fields });

/** Sends a creation and returns the data of its answer. */
export async function created<T>(on: TestService, key: string, path: string, body: object): Promise<T> {
  const response = await on.api('post', path, key).send(body).expect(201);
  return (response.body as { data: T }).data;
}

/** Sends an update and returns the data of its answer. */
export async function updated<T>(on: TestService, key: string, path: string, body: object): Promise<T> {
  const response = await on.api('put', path, key).send(body).expect(200);
  return (response.body as { data: T }).data;
}

/** Returns the data at a path, as a key or a token reads them. */
export async function dataAt<T>(on: TestService, key: string, path: string): Promise<T> {
  const response = await on.api('get', path, key).expect(200);
  return (response.body as { data: T }).data;
}

/** Returns a different SHA-256 fingerprint for each number, in upper case. */
export const aFingerprint = (number: number): string =>
  Array.from({ length: 32 }, (_, at) => ((number + at) & 255).toString(16).padStart(2, '0').toUpperCase()).join(':');

/** An id that no resource has. */
export const unknownId = '0198c0de-7e57-7000-8000-00000000dead';

/** Uploads a file with one link, and waits for the dry run. */
export async function anImport(
  on: TestService,
  key: string,
  projectId: string,
  fields: Record<string, unknown> = {},
): Promise<{ id: string }> {
  await needsImports(on);
  const path = `/projects/${projectId}/imports`;
  const uploaded = await on
    .api('post', path, key)
    .send([{ name: 'An imported link', ...fields }])
    .expect(202);
  const { id } = (uploaded.body as { data: { id: string } }).data;
  await eventually(async () => (await on.api('get', `${path}/${id}`, key).expect(200)).body.data.state === 'ready');
  return { id };
}
