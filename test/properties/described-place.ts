import type { Role } from '../../src/api-kit/policy/policy';
import { newId } from '../../src/shared/id';
import { AccountRepository } from '../../src/tenancy/accounts/account.repository';
import { ApiKeysService } from '../../src/tenancy/api-keys/api-keys.service';
import { PgApprovalRepository } from '../../src/tenancy/approvals/pg-approval.repository';
import type { Member } from '../../src/tenancy/members/member';
import { MembersService } from '../../src/tenancy/members/members.service';
import { type ApiResponse, sendApiRequest } from '../support/api-request';
import {
  aDelivery,
  aDynamicLink,
  aFingerprint,
  aHostname,
  anAndroidApp,
  anImport,
  anIosApp,
  aProject,
  aShare,
  aShortLink,
  aTag,
  aTemplate,
  aVerifiedDomain,
  aWebhook,
  inAMonth,
  unique,
  unknownId,
  updated,
} from '../support/builders';
import type { DescribedOperation } from '../support/described-operations';
import { dnsFixture, providerFixture, serviceFixture } from '../support/fixtures';
import type { TestAccount, TestService } from '../support/service';

/** An account with one resource of each kind, which the paths of all operations name. */
export interface DescribedPlace {
  account: TestAccount;
  /** Ids and names by path parameter; those of apps are `iosAppId` and `androidAppId`. */
  ids: Record<string, string>;
  pathOf: (template: string) => string;
  /** Returns the path for requests with any body. It has a query if the operation requires one beside the body. */
  urlOf: (operation: DescribedOperation) => string;
  /** Returns the required fields as JSON text, for requests with any query; undefined if the operation takes no body. */
  requiredBodyOf: (operation: DescribedOperation) => string | undefined;
  /** Valid values of required, unique and reference fields. Unique fields get a new value each time. */
  valid: Record<string, () => unknown>;
  credentialFor: (path: string) => string;
  /** @param json the body as JSON text */
  send: (method: string, path: string, json?: string) => Promise<ApiResponse>;
}

export const aMember = (on: TestService, accountId: string, role: Role): Promise<Member> =>
  on.service.app.get(MembersService).setRole(accountId, { subject: unique(role) }, role);

export async function aUser(on: TestService, accountId: string): Promise<string> {
  const user = { id: newId(), accountId, email: `${unique('user')}@example.com` };
  return (await on.service.app.get(AccountRepository, { strict: false }).insertUser(user)).id;
}

/** Stores an approval of the deletion of a member, and returns its id. */
export async function anApproval(on: TestService, accountId: string): Promise<string> {
  const { id: resourceId } = await aMember(on, accountId, 'viewer');
  const change = { operation: 'deleteMember', projectId: null, resourceId, body: null } as const;
  const approvals = on.service.app.get(PgApprovalRepository, { strict: false });
  return approvals.insert(accountId, { userId: newId(), apiKeyId: null }, change);
}

/**
 * Creates a release and returns its id.
 * @param path the path of the app within its project
 */
export async function aRelease(on: TestService, key: string, projectId: string, path: string, version = unique('v')) {
  const body = { version, hosts: [`${version}.example.com`] };
  const answer = await on.api('post', `/projects/${projectId}/${path}/releases`, key).send(body).expect(201);
  return (answer.body as { data: { id: string } }).data.id;
}

/** A service on which every described operation can succeed: with sign-in and with a DNS. */
export class DescribedService {
  readonly #provider = providerFixture();
  readonly #dns = dnsFixture();
  readonly on = serviceFixture(() => ({
    ...this.#provider.environment,
    API_KEYS_PER_ACCOUNT: 'unlimited',
    DNS_RESOLVERS: this.#dns.address,
    FORMER_SUBDOMAINS_PER_PROJECT: '1000',
    PROBES_PER_MINUTE: '1000',
  }));

  /** Returns the number of the entry of a change that can be undone. */
  async #aChange(key: string, projectId: string, linkId: string): Promise<string> {
    await this.on.api('put', `/projects/${projectId}/links/${linkId}`, key).send({ notes: 'Undone' }).expect(200);
    const { body } = await this.on.api('get', `/projects/${projectId}/history?resource_id=${linkId}`, key).expect(200);
    return String((body as { data: { sequence: number }[] }).data[0]!.sequence);
  }

  /** @param needed whether the test uses the resource of a path parameter. Others are left out, because each takes time. */
  async place(needed: (parameter: string) => boolean = () => true): Promise<DescribedPlace> {
    const { on } = this;
    const account = await on.anAccount('enterprise');
    const { key } = account;
    // The first member of an account must be an owner.
    await aMember(on, account.accountId, 'owner');
    const project = await aProject(on, key, { name: 'Project' });
    await updated(on, key, `/projects/${project.id}`, { subdomain: unique('renamed') });
    const link = await aDynamicLink(on, key, project.id, { name: 'Link' });
    const resources: Record<string, () => Promise<string>> = {
      // Not the key of the requests, because updates limit it.
      apiKeyId: async () => (await on.service.app.get(ApiKeysService).create(account.accountId, 'Other', null)).id,
      memberId: async () => (await aMember(on, account.accountId, 'viewer')).id,
      approvalId: () => anApproval(on, account.accountId),
      userId: () => aUser(on, account.accountId),
      webhookId: async () => (await aWebhook(on, key)).id,
      deliveryId: async () => aDelivery(on, ids['webhookId']!),
      sequence: () => this.#aChange(key, project.id, link.id),
      // A separate link, because updates of the other one change its external id.
      externalId: async () => {
        const externalId = unique('described');
        await aDynamicLink(on, key, project.id, { name: 'Link', external_id: externalId });
        return externalId;
      },
      importId: async () => (await anImport(on, key, project.id)).id,
      templateId: async () => (await aTemplate(on, key, project.id)).id,
      otherTagId: async () => (await aTag(on, key, project.id)).id,
      shareId: async () => (await aShare(on, key, project.id)).id,
      shortLinkId: async () => (await aShortLink(on, key, project.id, link.id)).id,
      iosAppId: async () => (await anIosApp(on, key, project.id, { name: 'iOS app' })).id,
      domainId: async () => (await aVerifiedDomain(on, this.#dns, key, project.id)).id,
      androidAppId: async () => (await anAndroidApp(on, key, project.id, { name: 'Android app' })).id,
      iosReleaseId: () => aRelease(on, key, project.id, `ios-apps/${ids['iosAppId']}`),
      androidReleaseId: () => aRelease(on, key, project.id, `android-apps/${ids['androidAppId']}`),
    };
    const tag = await aTag(on, key, project.id);
    const ids: Record<string, string> = {
      projectId: project.id,
      subdomain: project.subdomain,
      linkId: link.id,
      tagId: tag.id,
    };
    for (const [parameter, create] of Object.entries(resources))
      ids[parameter] = needed(parameter) ? await create() : unknownId;
    // API keys can be managed only with a dashboard token.
    const credentialFor = (path: string) =>
      path.startsWith('/account/') ? this.#provider.token(account.accountId) : key;
    const valid: DescribedPlace['valid'] = {
      ios_app_id: () => ids['iosAppId'],
      android_app_id: () => ids['androidAppId'],
      url: () => 'https://hooks.example.com/events',
      // A webhook that sends would change its state.
      enabled: () => false,
      name: () => 'Name',
      email: () => `${unique('described')}@example.com`,
      subject: () => unique('described'),
      allowed_networks: () => ['192.0.2.0/24'],
      project_ids: () => [project.id],
      project_roles: () => ({ [project.id]: 'viewer' }),
      // A frozen account refuses all other requests.
      frozen: () => false,
      max_key_age_days: () => 90,
      key: () => 'unknown',
      subdomain: () => unique('described'),
      custom_path: () => unique('described'),
      external_id: () => unique('described'),
      dynamic_link_id: () => ids['linkId'],
      short_link_id: () => ids['shortLinkId'],
      resource_id: () => ids['linkId'],
      actor_id: () => account.apiKeyId,
      project_id: () => project.id,
      link_id: () => ids['linkId'],
      tag_id: () => ids['tagId'],
      expires_at: () => inAMonth(),
      into: () => ids['otherTagId'],
      address: () => '192.0.2.1',
      country: () => 'AT',
      language: () => ['de-AT'],
      since: () => '2026-01-01T00:00:00Z',
      acknowledge: () => '1.2.3',
      variants: () => ['A', 'B'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 })),
      rules: () => [{ when: { platforms: ['ios'] }, then: { url: 'https://example.com/ios' } }],
      // Links keep the one that they have.
      template: () => null,
      source: () => 'bitly',
      token: () => 'described-4711',
      operations: () => [{ op: 'create', link: { name: 'Name' } }],
      items: () => [{ click_id: 'AAAAAAAAAAAAAAAAAAAAAA', event: 'described', key: unique('described') }],
      filter: () => ({ tag: 'Unused' }),
      action: () => 'archive',
      expected_count: () => 0,
      tag: () => tag.name,
      exclude_tag: () => 'Unused',
      bundle_id: () => unique('com.example'),
      team_id: () => 'ABCDE12345',
      package_name: () => `com.example.${unique('app').replaceAll('-', '_')}`,
      sha_fingerprints: () => [aFingerprint(0)],
      hostname: () => aHostname(),
      version: () => unique('1.0'),
      hosts: () => ['go.example.com'],
      destination_hosts: () => ['Shop.Example.com:8443', '*.bücher.example'],
      long_link_destinations: () => ['Shop.Example.com:8443', '*.bücher.example'],
    };
    const pathOf = (template: string): string =>
      template.replace(/\{(\w+)\}/g, (_, name: string) => {
        const platform = template.includes('/ios-apps') ? 'ios' : 'android';
        const ofPlatform: Record<string, string> = { appId: `${platform}AppId`, releaseId: `${platform}ReleaseId` };
        const id = ofPlatform[name] ?? name;
        if (ids[id] === undefined) throw new Error(`There is no resource for the path parameter ${name}.`);
        return ids[id];
      });
    return {
      account,
      ids,
      valid,
      pathOf,
      urlOf: ({ template, query, body }) => pathOf(template) + (body && 'platform' in query ? '?platform=ios' : ''),
      requiredBodyOf: ({ template, body }) => {
        // One of two fields is required.
        const names = template === '/account/members' ? ['email'] : body?.required;
        // The default is that of the app, which may have none.
        const beside = template.endsWith('/android-apps/{appId}/releases') ? ['sha_fingerprints'] : [];
        return body && JSON.stringify(Object.fromEntries([...names!, ...beside].map((name) => [name, valid[name]!()])));
      },
      credentialFor,
      send: (method, path, json) => sendApiRequest(on, credentialFor(path), method, path, json),
    };
  }
}
