const changed = ['created', 'updated', 'deleted'] as const;

/** Changes of each kind of resource, as the triggers of migrations write them. */
const changesOf = {
  account: changed,
  android_app: changed,
  api_key: changed,
  app_release: changed,
  approval: changed,
  domain: changed,
  import: changed,
  ios_app: changed,
  link: changed,
  member: changed,
  project: changed,
  share: ['created', 'deleted'],
  short_link: changed,
  tag: changed,
  template: changed,
  webhook: changed,
} as const;

/** Types of events that change no resource. */
export const happenings = [
  'api_key.new_network',
  'audit_log.exported',
  'click.exported',
  'conversion.exported',
  'domain.association_failed',
  'domain.association_restored',
  'domain.proof_lost',
  'link.claims_reached',
  'link.clicks_reached',
  'link.exported',
  'link.opens_reached',
  'project.escape_dropped',
  'quota.reached',
  'request.refused',
  'user.erased',
  'user.exported',
  'user.signed_in',
  'webhook.disabled',
  'webhook.secret_rotated',
] as const;

/** All types that entries of the journal have. */
export const eventTypes: readonly string[] = [
  ...Object.entries(changesOf).flatMap(([kind, actions]) => actions.map((action) => `${kind}.${action}`)),
  ...happenings,
].toSorted();
