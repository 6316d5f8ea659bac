/** Paths of the operations on a kind of resource. `{projectId}` and `{id}` are replaced. */
export interface Routes {
  readonly list: string;
  readonly one: string;
}

const ofProject = (name: string): Routes => ({
  list: `/projects/{projectId}/${name}`,
  one: `/projects/{projectId}/${name}/{id}`,
});

/** The resources of the API by the singular of their names. */
export const routes = {
  project: { list: '/projects', one: '/projects/{id}' },
  api_key: { list: '/account/api-keys', one: '/account/api-keys/{id}' },
  webhook: { list: '/account/webhooks', one: '/account/webhooks/{id}' },
  member: { list: '/account/members', one: '/account/members/{id}' },
  link: ofProject('links'),
  short_link: ofProject('short-links'),
  share: ofProject('shares'),
  template: ofProject('link-templates'),
  ios_app: ofProject('ios-apps'),
  android_app: ofProject('android-apps'),
  domain: ofProject('custom-domains'),
} as const satisfies Record<string, Routes>;
