import { routes } from './api-resources.js';
import type { Context } from './context.js';
import { UsageFailure } from './failures.js';
import { boolean, list, text } from './fields.js';
import type { Resource } from './resource-commands.js';

const platforms = ['ios', 'android'] as const;

function routesOfApps({ args }: Context) {
  const platform = args.text('platform') as (typeof platforms)[number] | undefined;
  if (platform === undefined) throw new UsageFailure('The platform is missing; add --platform ios or android.');
  return routes[`${platform}_app`];
}

export const projects: Resource = {
  name: 'projects',
  noun: 'project',
  routes: () => routes.project,
  isOfAccount: true,
  keys: ['subdomain'],
  columns: ['name', 'subdomain', 'created_at'],
  fields: {
    name: text('name for your team', false),
    subdomain: text('first label of the host of its links', false),
    root_url: text('where visitors of the host without a path go'),
    not_found_url: text('where visitors of unknown paths go'),
    expired_url: text('where visitors of links that have ended go'),
    query_forwarding: text('parameters of visitors that destinations get: all, none or listed', false),
    forwarded_params: list('forwarded-param', 'name of a parameter of visitors that destinations get'),
    allowed_schemes: list('allowed-scheme', 'scheme of destinations beside http and https, such as mailto'),
    conversions: boolean('whether conversions count for all links'),
    click_id_param: text('query parameter of destinations with the click id; click_id by default', false),
    conversion_window_days: { kind: 'json', help: 'days after a visit in which conversions count', isNullable: false },
    destination_hosts: list('destination-host', 'host that links may lead to, such as *.example.com; all by default'),
    long_link_destinations: list('long-link-destination', 'host that long links may lead to, such as *.example.com'),
    release_guard: text('changes that break released apps: refuse, warn or off', false),
    retire_releases_after_days: { kind: 'json', help: 'days after which released versions retire', isNullable: true },
    retire_releases_below_percent: {
      kind: 'json',
      help: 'percent of opens below which released versions retire',
      isNullable: true,
    },
  },
  filters: { search: { value: 'TEXT', help: 'part of the name or the subdomain' } },
  breaksReleases: true,
  deletion: 'All its links stop, and nothing brings them back.',
  examples: { create: '--name "Shop" --subdomain shop' },
};

export const apps: Resource = {
  name: 'apps',
  noun: 'app',
  routes: routesOfApps,
  options: { platform: { value: 'PLATFORM', choices: platforms, help: 'platform of the app' } },
  keys: ['bundle_id', 'package_name'],
  columns: ['name', 'bundle_id', 'package_name', 'created_at'],
  fields: {
    name: text('name for your team', false),
    bundle_id: text('bundle id at Apple', false),
    team_id: text('team id at Apple', false),
    appstore_id: text('number in the App Store'),
    app_clip_bundle_id: text('bundle id of the App Clip'),
    package_name: text('application id at Google', false),
    sha_fingerprints: list('sha-fingerprint', 'SHA-256 fingerprint of a signing certificate'),
    android_stores: { kind: 'json', help: 'ids of the app in other stores', isNullable: true },
    paths: list('path', 'path whose links open the app, such as /shop/*', true),
    shared_credentials: boolean('whether the app may use passwords of the host'),
  },
  filters: { search: { value: 'TEXT', help: 'part of the name, the bundle id or the package name' } },
  breaksReleases: true,
  creationBreaksReleases: true,
  deletion: 'Links no longer open it. An app that links use is not deleted.',
  examples: { create: '--name "Shop" --bundle-id com.example.shop --team-id ABCDE12345', all: '--platform ios' },
};

export const shortLinks: Resource = {
  name: 'short-links',
  noun: 'short link',
  routes: () => routes.short_link,
  keys: [],
  columns: ['slug', 'short_url', 'dynamic_link_id', 'created_at'],
  fields: {
    dynamic_link_id: { ...text('id of the link that it opens', false), option: 'link' },
    slug: text('path of the short link; a new one by default', false),
  },
  updated: null,
  filters: { 'dynamic-link-id': { value: 'ID', help: 'only short links of the link' } },
  deletion: 'Its visitors get 404.',
  examples: { create: '--link 0198c0de-7e57-7000-8000-000000000002 --slug summer' },
};

const templateParts = {
  referrer_params: {
    kind: 'parameters',
    help: 'query parameter NAME=VALUE of the destinations of its links',
    isNullable: true,
    option: 'referrer-param',
  },
  rules: { kind: 'rules', help: 'conditions and destinations, in order', isNullable: true },
} as const;

export const templates: Resource = {
  name: 'templates',
  noun: 'link template',
  routes: () => routes.template,
  keys: ['name'],
  columns: ['name', 'created_at', 'updated_at'],
  fields: { name: text('name, which links have in template', false), ...templateParts },
  updated: templateParts,
  filters: { search: { value: 'TEXT', help: 'part of the name' } },
  deletion: 'A template that links use is not deleted.',
  examples: {
    create: '--name "Newsletter" --referrer-param utm_source=newsletter',
    update: '--referrer-param utm_source=mail',
  },
};

export const shares: Resource = {
  name: 'shares',
  noun: 'share',
  routes: () => routes.share,
  keys: [],
  columns: ['name', 'dynamic_link_id', 'tag_id', 'expires_at', 'has_password'],
  fields: {
    name: text('title of the page, which its readers see', false),
    dynamic_link_id: {
      ...text('id of the link whose clicks the page shows; those of the project by default', false),
      option: 'link',
    },
    tag_id: { ...text('id of the tag whose links the page shows', false), option: 'tag' },
    timezone: text('time zone of the days, such as Europe/Berlin; UTC by default', false),
    expires_at: text('moment at which the page ends, at most a year from now', false),
    password: text('password that readers enter; none by default', false),
  },
  updated: null,
  note: 'A share is a page with statistics that everybody can read who has its address.',
  deletion: 'Its page ends at once.',
  examples: { create: '--name "Summer campaign" --expires-at 2027-06-30T00:00:00Z' },
};

export const domains: Resource = {
  name: 'domains',
  noun: 'custom domain',
  routes: () => routes.domain,
  keys: ['hostname'],
  columns: ['hostname', 'status', 'active', 'open_host'],
  fields: { hostname: text('host name, such as links.example.com', false) },
  updated: {
    active: boolean('whether links use the domain'),
    open_host: boolean('whether “Open in app” leads through it'),
  },
  breaksReleases: true,
  deletion: 'Links on the domain stop, and links of the project use the subdomain.',
  examples: { create: '--hostname links.example.com', update: '--active true' },
};

const keyLimits = {
  scopes: list('scopes', 'scope of the key, such as links:read; all by default', true),
  project_ids: list('projects', 'id of a project that the key may use; all by default', true),
  allowed_networks: list(
    'networks',
    'network that the key may be used from, such as 192.0.2.0/24; all by default',
    true,
  ),
  destination_hosts: list('hosts', 'host that its links may lead to, such as *.example.com; all by default', true),
  allowed_origins: list(
    'origins',
    'origin of pages that use a publishable key, such as https://shop.example.com',
    true,
  ),
  links_per_day: {
    kind: 'json',
    help: 'links that a publishable key creates in a day; 1000 by default',
    isNullable: true,
  } as const,
};

const memberRoles = {
  role: text('role in the account: viewer, editor, admin or owner'),
  project_roles: {
    kind: 'json',
    help: 'roles in single projects, such as {"PROJECT-ID": "editor"}',
    isNullable: false,
  } as const,
};

export const members: Resource = {
  name: 'members',
  noun: 'member',
  routes: () => routes.member,
  isOfAccount: true,
  keys: ['email', 'subject'],
  columns: ['email', 'subject', 'role', 'user_id'],
  fields: {
    email: text('e-mail address in the tokens of the person', false),
    subject: text('identifier of the person at the identity provider', false),
    ...memberRoles,
  },
  updated: memberRoles,
  note: 'The service expects the token of a person who is signed in to the console as --key, instead of an API key.',
  deletion: 'The person has no role in the account any longer.',
  examples: { create: '--email ann@example.com --role editor', update: '--role viewer' },
};

export const webhooks: Resource = {
  name: 'webhooks',
  noun: 'webhook',
  routes: () => routes.webhook,
  isOfAccount: true,
  keys: ['url'],
  columns: ['url', 'enabled', 'failing_since', 'disabled_at'],
  fields: {
    url: text('address that gets the events, such as https://hooks.example.com/signpost', false),
    description: text('note for people'),
    project_id: text('id of the project whose events are sent; all by default'),
    event_types: list('event-types', 'type of events, such as link.updated or link.*; all by default', true),
    tag_ids: list('tag-ids', 'id of a tag whose links count; all by default', true),
    per_link: boolean('whether a bulk change sends an event for each link'),
    enabled: boolean('whether events are sent'),
  },
  deletion: 'Events that it did not get yet are not sent.',
  examples: { create: '--url https://hooks.example.com/signpost --event-types "link.*"', update: '--enabled true' },
};

export const apiKeys: Resource = {
  name: 'keys',
  noun: 'API key',
  routes: () => routes.api_key,
  isOfAccount: true,
  keys: [],
  columns: ['name', 'prefix', 'expires_at', 'last_used_at'],
  fields: {
    name: text('name for your team', false),
    ...keyLimits,
    publishable: boolean('whether the key may stand in pages and only creates links'),
    expires_at: text('moment after which the key is refused', false),
  },
  updated: { name: text('name for your team', false), ...keyLimits },
  note: 'The service expects the token of a person who is signed in to the console as --key, instead of an API key.',
  deletion: 'Requests with the key are refused.',
  examples: {
    create: '--name "Deployment" --scopes links:read --scopes links:write --expires-at 2027-06-30T00:00:00Z',
  },
};
