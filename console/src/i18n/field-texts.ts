import type { MessageKey } from './text';

interface FieldText {
  label: MessageKey;
  /** Says how the value must be written. Absent if every text can be stored, and for switches. */
  form?: MessageKey;
}

/** The label of each field that forms send, as the form shows it. */
const texts = {
  name: { label: 'link.name' },
  custom_path: { label: 'link.path', form: 'format.path' },
  desktop_url: { label: 'link.web', form: 'format.destination' },
  ios_app_id: { label: 'link.iosApp', form: 'format.listed' },
  android_app_id: { label: 'link.androidApp', form: 'format.listed' },
  ios_fallback_url: { label: 'link.iosFallback', form: 'format.destination' },
  android_fallback_url: { label: 'link.androidFallback', form: 'format.destination' },
  ios_deferred_deep_link: { label: 'link.deferred' },
  social_title: { label: 'link.socialTitle' },
  social_description: { label: 'link.socialDescription' },
  social_image_url: { label: 'link.socialImage', form: 'format.url' },
  referrer_params: { label: 'link.parameters' },
  app_data: { label: 'link.appData' },
  external_id: { label: 'link.externalId', form: 'format.externalId' },
  title: { label: 'link.title' },
  notes: { label: 'link.notes' },
  tags: { label: 'link.tags' },
  archived: { label: 'link.archived' },
  disabled: { label: 'link.disabled' },
  subdomain: { label: 'projects.subdomain', form: 'format.subdomain' },
  allowed_schemes: { label: 'settings.schemes', form: 'format.schemes' },
  destination_hosts: { label: 'settings.destinationHosts', form: 'format.hostPattern' },
  long_link_destinations: { label: 'settings.longLinks', form: 'format.hostPattern' },
  root_url: { label: 'settings.rootUrl', form: 'format.url' },
  not_found_url: { label: 'settings.notFoundUrl', form: 'format.url' },
  utm_templates: { label: 'utm.templates', form: 'format.utmTemplate' },
  query_forwarding: { label: 'forwarding.title' },
  forwarded_params: { label: 'forwarding.names' },
  hostname: { label: 'domains.hostname', form: 'format.hostname' },
  active: { label: 'domains.activate' },
  open_host: { label: 'domains.openHost' },
  bundle_id: { label: 'apps.bundleId', form: 'format.bundleId' },
  team_id: { label: 'apps.teamId', form: 'format.teamId' },
  appstore_id: { label: 'apps.appStoreId', form: 'format.appStoreId' },
  app_clip_bundle_id: { label: 'apps.appClip', form: 'format.bundleId' },
  package_name: { label: 'apps.packageName', form: 'format.packageName' },
  android_stores: { label: 'apps.androidStores' },
  sha_fingerprints: { label: 'apps.fingerprints', form: 'format.fingerprint' },
  paths: { label: 'apps.paths', form: 'format.appPaths' },
  shared_credentials: { label: 'apps.sharedCredentials' },
  slug: { label: 'shortLinks.slug', form: 'format.slug' },
  expires_at: { label: 'keys.expires', form: 'format.date' },
  scopes: { label: 'keys.scopes' },
  project_ids: { label: 'keys.projects', form: 'format.listed' },
  allowed_networks: { label: 'keys.networks', form: 'format.network' },
  frozen: { label: 'account.frozen' },
  max_key_age_days: { label: 'account.maxKeyAge' },
  email: { label: 'members.email', form: 'format.email' },
  subject: { label: 'members.subject' },
  role: { label: 'members.role' },
  project_roles: { label: 'members.projectRoles' },
  source: { label: 'imports.source' },
  token: { label: 'signIn.key', form: 'format.secret' },
  url: { label: 'problem.address', form: 'format.apiUrl' },
  domain: { label: 'imports.api.domain', form: 'format.secret' },
  group: { label: 'imports.api.group', form: 'format.secret' },
  workspace: { label: 'imports.api.workspace', form: 'format.secret' },
  conflict: { label: 'imports.form.conflict' },
  utm_source: { label: 'utm.source' },
  utm_medium: { label: 'utm.medium' },
  utm_campaign: { label: 'utm.campaign' },
  utm_term: { label: 'utm.term' },
  utm_content: { label: 'utm.content' },
} satisfies Record<string, FieldText>;

/** Returns the texts of a field of the API; undefined if no form has it. */
export const textsOfField = (field: string): FieldText | undefined =>
  Object.hasOwn(texts, field) ? texts[field as keyof typeof texts] : undefined;
