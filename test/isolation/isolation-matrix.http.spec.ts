import type { Express } from 'express';
import { ClickUpkeep } from '../../src/clicks/recording/click-upkeep';
import { ApiKeysService } from '../../src/tenancy/api-keys/api-keys.service';
import { PgImportQueue } from '../../src/imports/model/pg-import-queue';
import { ImportPurgeService } from '../../src/imports/api/import-purge.service';
import { ProjectPurge } from '../../src/links/projects/project-purge';
import { type ErrorCode, statusOf } from '../../src/shared/domain-error';
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
  dataAt,
  inAMonth,
  unique,
  unknownId,
  updated,
} from '../support/builders';
import { aClick, anOpenedLink, clicksOn } from '../clicks/recording/counting';
import { aMember, anApproval, aRelease, aUser } from '../properties/described-place';
import { snapshotOf, stateOf } from '../support/content';
import { type DescribedOperation, describedOperations, nameOfOperation } from '../support/described-operations';
import { accountFixture, dnsFixture, providerFixture, serviceFixture } from '../support/fixtures';
import { needsImports } from '../support/imports';
import { inParallel } from '../support/in-parallel';
import { sample, scale } from '../support/scale';
import type { TestAccount } from '../support/service';

/**
 * Lists the id parameters of operations whose result by the owner of the id differs from `usualCells`. All other ids and fields of
 * the request are valid and belong to the caller. A number is a success with that status, `none` a success with an empty list;
 * other values are error codes.
 *
 * `sibling's`: another project of the same account, or its resources. `another's`: a project of another account, or its
 * resources. `deleted`: a deleted project before its purge, or its resources. `missing`: an unknown id, or the id of a resource
 * of another kind. `malformed`: not a canonical UUID. `OWN`: the own id in capital letters. For API keys: a key of the account,
 * a second one, one of another account, a revoked one. A former subdomain is an id too, but has one spelling.
 */
const exceptions = `
  operation                                                      | id               | own | OWN       | sibling's             | another's             | deleted       | missing       | malformed
  POST   /account/webhooks                                       | body.project_id  | 201 | 201       | 201                   | FORBIDDEN_CROSS_SCOPE | NOT_FOUND     | NOT_FOUND     | INVALID_INPUT
  PUT    /account/webhooks/{webhookId}                           | body.project_id  | 200 | 200       | 200                   | FORBIDDEN_CROSS_SCOPE | NOT_FOUND     | NOT_FOUND     | INVALID_INPUT
  GET    /projects/{projectId}/history                           | ?actor_id        | 200 | 200       | 200                   | none                  | 200           | none          | INVALID_INPUT
  POST   /projects/{projectId}/history/{sequence}/restore        | sequence         | 200 | 200       | NOT_FOUND             | NOT_FOUND             | NOT_FOUND     | NOT_FOUND     | INVALID_INPUT
  POST   /projects/{projectId}/history/{sequence}/restore        | body.resource_id | 200 | 200       | INVALID_INPUT         | INVALID_INPUT         | INVALID_INPUT | INVALID_INPUT | INVALID_INPUT
  DELETE /projects/{projectId}/former-subdomains/{subdomain}     | subdomain        | 200 | NOT_FOUND | NOT_FOUND             | NOT_FOUND             | NOT_FOUND     | NOT_FOUND     | NOT_FOUND
  POST   /projects/{projectId}/links/bulk/by-filter              | body.after       | 200 | 200       | 200                   | 200                   | 200           | 200           | INVALID_INPUT
  GET    /projects/{projectId}/links/by-external-id/{externalId} | externalId       | 200 | NOT_FOUND | NOT_FOUND             | NOT_FOUND             | NOT_FOUND     | NOT_FOUND     | NOT_FOUND
  PUT    /projects/{projectId}/links/by-external-id/{externalId} | projectId        | 200 | 200       | 201                   | ACCESS_DENIED         | NOT_FOUND     | NOT_FOUND     | NOT_FOUND
  PUT    /projects/{projectId}/links/by-external-id/{externalId} | externalId       | 200 | 201       | 201                   | 201                   | 201           | 201           | INVALID_INPUT
  POST   /projects/{projectId}/short-links                       | projectId        | 201 | 201       | FORBIDDEN_CROSS_SCOPE | ACCESS_DENIED         | NOT_FOUND     | NOT_FOUND     | NOT_FOUND
`;

const releaseBody = () => ({ version: unique('1.0'), hosts: ['go.example.com'] });

/** Valid bodies without ids. The names are marked, so that the dump reveals a write to a foreign resource. */
const bodies: Record<string, () => Record<string, unknown>> = {
  'POST /account/api-keys': () => ({ name: 'Mine' }),
  'PUT /account/api-keys/{apiKeyId}': () => ({ name: 'Changed' }),
  'POST /account/api-keys/{apiKeyId}/rotate': () => ({ overlap_hours: 1 }),
  'POST /api-keys/revoke-leaked': () => ({ key: 'unknown' }),
  'PUT /account/protection': () => ({ frozen: false }),
  'POST /account/members': () => ({ email: `${unique('mine')}@example.com` }),
  'PUT /account/members/{memberId}': () => ({ role: 'viewer' }),
  'POST /account/webhooks': () => ({ url: 'https://mine.example.com/', enabled: false }),
  'PUT /account/webhooks/{webhookId}': () => ({ description: 'Changed' }),
  'POST /account/webhooks/{webhookId}/replay': () => ({ since: '2026-01-01T00:00:00Z' }),
  'POST /projects/{projectId}/history/{sequence}/restore': () => ({}),
  'POST /projects': () => ({ name: 'Mine', subdomain: unique('mine') }),
  'PUT /projects/{projectId}': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/links': () => ({ name: 'Mine' }),
  'POST /projects/{projectId}/links/{linkId}/explain': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/links/{linkId}/simulate': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/explain': () => ({ name: 'Mine' }),
  'PUT /projects/{projectId}/links/{linkId}': () => ({ name: 'Changed', custom_path: unique('changed') }),
  'PUT /projects/{projectId}/links/by-external-id/{externalId}': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/conversions': () => ({
    items: [{ click_id: 'AAAAAAAAAAAAAAAAAAAAAA', event: 'mine', key: 'mine' }],
  }),
  'POST /projects/{projectId}/links/bulk': () => ({ operations: [{ op: 'create', link: { name: 'Mine' } }] }),
  'POST /projects/{projectId}/links/bulk/by-filter': () => ({
    filter: { tag: 'Unused' },
    action: 'disable',
    expected_count: 0,
  }),
  'POST /projects/{projectId}/tags': () => ({ name: unique('Mine') }),
  'PUT /projects/{projectId}/tags/{tagId}': () => ({ name: unique('Changed') }),
  'POST /projects/{projectId}/link-templates': () => ({ name: unique('Mine') }),
  'PUT /projects/{projectId}/link-templates/{templateId}': () => ({ referrer_params: { ref: unique('changed') } }),
  'POST /projects/{projectId}/tags/{tagId}/merge': () => ({ into: world.own.ids['into'] }),
  'POST /projects/{projectId}/shares': () => ({ name: 'Mine', expires_at: inAMonth() }),
  'POST /projects/{projectId}/pictures/from-page': () => ({ url: 'https://mine.example' }),
  'POST /projects/{projectId}/imports': () => ({ links: [{ name: 'Mine' }] }),
  // The test's DNS has no address for it, so that the import ends at once.
  'POST /projects/{projectId}/imports/from-api': () => ({ source: 'bitly', token: 'mine-4711' }),
  'POST /projects/{projectId}/short-links': () => ({ dynamic_link_id: world.own.ids['dynamic_link_id'] }),
  'POST /projects/{projectId}/ios-apps': () => ({ name: 'Mine', bundle_id: 'mine', team_id: 'ABCDE12345' }),
  'PUT /projects/{projectId}/ios-apps/{appId}': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/android-apps': () => ({
    name: 'Mine',
    package_name: 'com.mine',
    sha_fingerprints: [aFingerprint(1)],
  }),
  'PUT /projects/{projectId}/android-apps/{appId}': () => ({ name: 'Changed' }),
  'POST /projects/{projectId}/ios-apps/{appId}/releases': releaseBody,
  'PUT /projects/{projectId}/ios-apps/{appId}/releases/{releaseId}': () => ({ retired: true }),
  'POST /projects/{projectId}/android-apps/{appId}/releases': releaseBody,
  'PUT /projects/{projectId}/android-apps/{appId}/releases/{releaseId}': () => ({ retired: true }),
  'POST /projects/{projectId}/custom-domains': () => ({ hostname: aHostname() }),
  'PUT /projects/{projectId}/custom-domains/{domainId}': () => ({ active: false }),
};

const queries: Record<string, string> = {
  'GET /projects/{projectId}/links/{linkId}/explain': 'platform=ios',
  'POST /projects/{projectId}/links/{linkId}/explain': 'platform=ios',
  'GET /projects/{projectId}/explain': 'platform=ios',
  'POST /projects/{projectId}/explain': 'platform=ios',
};

const malformed = (id: string) => [
  'nonsense',
  '1',
  'null',
  `{${id}}`,
  id.replaceAll('-', ''),
  `${id}0`,
  id.slice(0, -1),
  ` ${id}`,
  `urn:uuid:${id}`,
  `${id}\0`,
  `${id}\n`,
  id.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  `${id}' OR '1'='1`,
  '*',
];

interface Row {
  operation: string;
  id: string;
  cells: Record<string, string>;
}

const [header, ...exceptionalRows] = exceptions
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const owners = header!.slice(2);
const exceptional = new Map(
  exceptionalRows.map(([operation = '', id = '', ...cells]) => [`${operation.replace(/ +/, ' ')} ${id}`, cells]),
);

/** The code for an absent resource that a body refers to. */
const notFoundCodes: Record<string, ErrorCode> = {
  'body.ios_app_id': 'IOS_APP_NOT_FOUND',
  'body.android_app_id': 'ANDROID_APP_NOT_FOUND',
  'body.dynamic_link_id': 'NOT_FOUND',
  'body.tag_id': 'NOT_FOUND',
  'body.into': 'NOT_FOUND',
};

/** Returns the results that operations have in common: resources of others are not found, and their projects are denied. */
function usualCells(operation: string, id: string): string[] {
  const success = String(successOf(operation));
  if (id === '') return [success, '', '', '', '', '', ''];
  // The audit log keeps entries of all own resources, deleted ones too.
  if (operation.startsWith('GET /account/audit-log'))
    return ['200', '200', '200', 'none', '200', 'none', 'INVALID_INPUT'];
  if (id in notFoundCodes) {
    const cross = 'FORBIDDEN_CROSS_SCOPE';
    const code = notFoundCodes[id]!;
    return [success, success, cross, cross, code, code, 'INVALID_INPUT'];
  }
  if (id.startsWith('?')) return ['200', '200', 'none', 'none', 'none', 'none', 'INVALID_INPUT'];
  const refused = Array<string>(3).fill('NOT_FOUND');
  if (operation.includes('/deliveries/')) return [success, success, 'NOT_FOUND', 'NOT_FOUND', ...refused];
  // An account has several keys and members.
  if (operation.includes(' /account/')) return [success, success, success, 'NOT_FOUND', ...refused];
  if (id !== 'projectId') return [success, success, 'NOT_FOUND', 'NOT_FOUND', ...refused];
  // A resource of one project is not found in another.
  const hasResource = /\{(?!projectId)/.test(operation);
  return [success, success, hasResource ? 'NOT_FOUND' : success, 'ACCESS_DENIED', ...refused];
}

const creating = new Set(describedOperations.filter(({ creates }) => creates).map(nameOfOperation));

/** Operations that continue after the answer. */
const beginning = new Set([
  'POST /projects/{projectId}/imports',
  'POST /projects/{projectId}/imports/from-api',
  'POST /projects/{projectId}/imports/{importId}/run',
]);

const successOf = (operation: string): number => (creating.has(operation) ? 201 : beginning.has(operation) ? 202 : 200);

const idFields = (fields: DescribedOperation['query'] = {}): string[] =>
  Object.keys(fields).filter((name) => fields[name]!.format === 'uuid');

const rows: Row[] = describedOperations.flatMap((described) => {
  const operation = nameOfOperation(described);
  const ids = [
    ...described.pathIds,
    ...idFields(described.query).map((name) => `?${name}`),
    ...idFields(described.body?.properties).map((name) => `body.${name}`),
  ];
  return (ids.length > 0 ? ids : ['']).map((id) => {
    const cells = exceptional.get(`${operation} ${id}`) ?? usualCells(operation, id);
    return { operation, id, cells: Object.fromEntries(cells.map((cell, at) => [owners[at]!, cell])) };
  });
});

interface Place {
  formerSubdomain: string;
  externalId: string;
  /** Ids by their name in paths, queries and bodies. */
  ids: Record<string, string>;
  /** Ids in paths of apps that no link references. */
  apps: { ios: string; android: string };
  /** Ids of releases of these apps. */
  releases: { ios: string; android: string };
}

interface World {
  own: Place;
  sibling: Place;
  another: Place;
  deleted: Place;
}

const provider = providerFixture();
const dns = dnsFixture();
const on = serviceFixture(() => ({
  ...provider.environment,
  API_KEYS_PER_ACCOUNT: 'unlimited',
  PROBES_PER_MINUTE: '10000',
  DNS_RESOLVERS: dns.address,
}));
const account = accountFixture(on);
const another = accountFixture(on);
let world: World;
let restore: () => Promise<void>;
let content: unknown;
let stale = false;

beforeAll(async () => {
  // Resources of deleted projects stay in the tables, as between a deletion and its purge.
  await on.service.app.get(ProjectPurge).stop();
  await (await needsImports(on)).context.get(ProjectPurge, { strict: false }).stop();
  await on.service.app.get(ClickUpkeep).stop();
  // The first request of a person creates the user.
  for (const { accountId } of [account, another])
    await on.api('get', '/account', provider.token(accountId)).expect(200);
  await makeWorld();
  // Imports would change the content at any time.
  await (await needsImports(on)).context.get(PgImportQueue, { strict: false }).stop();
  await on.service.app.get(ImportPurgeService, { strict: false }).stop();
  restore = await snapshotOf(on.database);
  content = await stateOf(on.database);
});

/** Creates a new world only after a write or a failure, because refusals change nothing. */
beforeEach(async () => {
  if (!stale) return;
  await restore();
  stale = false;
});

async function makeWorld(): Promise<void> {
  for (const { accountId } of [account, another]) await aMember(on, accountId, 'owner');
  world = {
    own: await aPlace(account, 'Mine'),
    sibling: await aPlace(account, 'Sibling'),
    another: await aPlace(another, 'Hidden'),
    deleted: await aPlace(account, 'Deleted'),
  };
  await on.service.app.get(ApiKeysService).revoke(world.deleted.ids['apiKeyId']!);
  const { memberId, userId } = world.deleted.ids;
  for (const path of [`members/${memberId}`, `users/${userId}`])
    await on.api('delete', `/account/${path}`, provider.token(account.accountId)).expect(200);
  await on.database.query('DELETE FROM approvals WHERE id = $1', [world.deleted.ids['approvalId']]);
  await on.api('delete', `/account/webhooks/${world.deleted.ids['webhookId']!}`, account.key).expect(200);
  await on.api('delete', `/projects/${world.deleted.ids['projectId']}`, account.key).expect(200);
}

async function aPlace({ key, accountId, apiKeyId }: TestAccount, name: string): Promise<Place> {
  const mark = () => unique(name);
  const { id: projectId, subdomain } = await aProject(on, key, { name, subdomain: mark() });
  await on.api('put', `/projects/${projectId}`, key).send({ subdomain: mark() }).expect(200);
  const referencedIos = await anIosApp(on, key, projectId, { name, bundle_id: mark() });
  const referencedAndroid = await anAndroidApp(on, key, projectId, { name });
  // Without the mark, because others may create a link with the same external id.
  const externalId = unique('external');
  const link = await aDynamicLink(on, key, projectId, {
    name,
    custom_path: mark(),
    ios_app_id: referencedIos.id,
    android_app_id: referencedAndroid.id,
    external_id: externalId,
  });
  await updated(on, key, `/projects/${projectId}/links/${link.id}`, { notes: name });
  const history = `/projects/${projectId}/history?resource_id=${link.id}`;
  const [entry] = await dataAt<{ sequence: number }[]>(on, key, history);
  const { id: tagId } = await aTag(on, key, projectId, { name: mark() });
  const { id: shortLinkId } = await aShortLink(on, key, projectId, link.id);
  const clicks = clicksOn(on.database);
  const opened = anOpenedLink({ id: link.id, shortLinkId, shortLinkSource: 'api' });
  // An export has the click of yesterday (UTC), and a list that of now. After midnight, both are in the export.
  const yesterday = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 1;
  await clicks.write([yesterday, Date.now()].map((at) => aClick({ at, projectId, link: opened })));
  await clicks.close();
  const apps = {
    ios: (await anIosApp(on, key, projectId, { name, bundle_id: mark() })).id,
    android: (await anAndroidApp(on, key, projectId, { name })).id,
  };
  const webhook = await aWebhook(on, key);
  return {
    formerSubdomain: subdomain,
    externalId,
    ids: {
      apiKeyId: (await on.service.app.get(ApiKeysService).create(accountId, name, null)).id,
      memberId: (await aMember(on, accountId, 'viewer')).id,
      userId: await aUser(on, accountId),
      approvalId: await anApproval(on, accountId),
      webhookId: webhook.id,
      deliveryId: await aDelivery(on, webhook.id),
      projectId,
      project_id: projectId,
      actor_id: apiKeyId,
      resource_id: link.id,
      // Accounts number their entries separately, so that the number of another account can be an own one.
      sequence: String(accountId === another.accountId ? unknownSequence : entry!.sequence),
      linkId: link.id,
      after: link.id,
      shortLinkId,
      ios_app_id: referencedIos.id,
      android_app_id: referencedAndroid.id,
      dynamic_link_id: link.id,
      short_link_id: shortLinkId,
      tagId,
      templateId: (await aTemplate(on, key, projectId, { name: mark() })).id,
      tag_id: tagId,
      shareId: (await aShare(on, key, projectId, { name: mark() })).id,
      importId: (await anImport(on, key, projectId, { name: mark() })).id,
      endedImportId: await aCancelledImport(key, projectId, mark()),
      into: (await aTag(on, key, projectId, { name: mark() })).id,
      domainId: (await aVerifiedDomain(on, dns, key, projectId, { hostname: `${mark()}.example.com`, active: true }))
        .id,
    },
    apps,
    releases: {
      ios: await aRelease(on, key, projectId, `ios-apps/${apps.ios}`, mark()),
      android: await aRelease(on, key, projectId, `android-apps/${apps.android}`, mark()),
    },
  };
}

const unknownSequence = 999_999;

/** Parameters for which an id of any other resource is valid, too. */
const takesAnyId = (id: string): boolean => ['resource_id', 'actor_id', 'project_id'].includes(fieldOf(id));

const fieldOf = (id: string): string => id.replace(/^(?:body\.|\?)/, '');

/** Returns the id of an import that can be deleted. */
async function aCancelledImport(key: string, projectId: string, name: string): Promise<string> {
  const { id } = await anImport(on, key, projectId, { name });
  await on.api('post', `/projects/${projectId}/imports/${id}/cancel`, key).expect(200);
  return id;
}

/** Returns the id of `place` for this field of this operation. */
function idIn(place: Place, operation: string, id: string): string {
  if (id === 'subdomain') return place.formerSubdomain;
  if (id === 'externalId') return place.externalId;
  if (operation === 'DELETE /projects/{projectId}/imports/{importId}' && id === 'importId')
    return place.ids['endedImportId']!;
  if (id !== 'appId' && id !== 'releaseId') return place.ids[fieldOf(id)]!;
  const ids = id === 'appId' ? place.apps : place.releases;
  return operation.includes('/ios-apps') ? ids.ios : ids.android;
}

const isPublic = (operation: string): boolean => operation === 'POST /api-keys/revoke-leaked';

const signedInOnly = (operation: string): boolean =>
  / \/account\/(?:api-keys|approvals|members|protection|users)/.test(operation);

/** Returns a credential of the account that the operation accepts. */
const credentialOf = ({ accountId, key }: TestAccount, operation: string): string =>
  signedInOnly(operation) ? provider.token(accountId) : key;

/** Sends a valid request of the caller with one id replaced. */
function request(
  operation: string,
  id: string,
  value: string,
  key = credentialOf(account, operation),
): Promise<ApiResponse> {
  const [method, template] = operation.split(' ') as [string, string];
  const inPath = (name: string): string => (name === id ? value : idIn(world.own, operation, name));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath(name)));
  const query = id.startsWith('?') ? `${id}=${encodeURIComponent(value)}` : `?${queries[operation] ?? ''}`;
  const body = bodies[operation] && {
    ...bodies[operation](),
    ...(id.startsWith('body.') && { [fieldOf(id)]: value }),
  };
  return sendApiRequest(on, key, method, path + query, body && JSON.stringify(body));
}

const valuesOf: Record<string, (operation: string, id: string) => string[]> = {
  own: (operation, id) => [id === '' ? '' : idIn(world.own, operation, id)],
  OWN: (operation, id) => [idIn(world.own, operation, id).toUpperCase()],
  "sibling's": (operation, id) => [idIn(world.sibling, operation, id)],
  "another's": (operation, id) => [idIn(world.another, operation, id)],
  deleted: (operation, id) => [idIn(world.deleted, operation, id)],
  missing: (operation, id) => {
    if (id === 'sequence') return [String(unknownSequence)];
    if (takesAnyId(id)) return [unknownId];
    const { sequence: _, ...ids } = world.own.ids;
    const others = [...Object.values(ids), ...Object.values(world.own.apps)].filter(
      (other) => other !== idIn(world.own, operation, id) && !sameKind(operation, id, other),
    );
    return [...new Set([unknownId, '00000000-0000-0000-0000-000000000000', ...others])];
  },
  malformed: (operation, id) =>
    id === 'externalId'
      ? ['a\0b', ' ', 'x'.repeat(256)]
      : id === 'sequence'
        ? ['0', 'x', '1.5']
        : malformed(idIn(world.own, operation, id)),
};

function sameKind(operation: string, id: string, other: string): boolean {
  const { ids, apps } = world.own;
  const kinds = [
    [ids['ios_app_id'], apps.ios],
    [ids['android_app_id'], apps.android],
    [ids['tagId'], ids['into']],
    [ids['apiKeyId'], ids['actor_id']],
    [ids['importId'], ids['endedImportId']],
  ];
  return kinds.some((kind) => kind.includes(other) && kind.includes(idIn(world.own, operation, id)));
}

/** Returns the items of a list, or of an export with a line for each. */
const listed = ({ body, text }: ApiResponse): unknown[] =>
  body === undefined
    ? text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown)
    : (body as { data: unknown[] }).data;

/** Expects the answer of the matrix to a request with this id. */
async function expectAnswer(operation: string, id: string, value: string, expected: string): Promise<void> {
  const answer = await request(operation, id, value);
  // All names, paths and subdomains of the other account contain this mark.
  expect(answer.text).not.toMatch(/hidden/i);
  if (statusOf[expected as ErrorCode]) expect(answer).toBeRefusedWith(expected as ErrorCode);
  else expect([answer.status, answer.text]).toEqual([expected === 'none' ? 200 : Number(expected), answer.text]);
  if (expected === 'none') expect(listed(answer)).toEqual([]);
  if (id.startsWith('?') && id !== '?actor_id' && expected === '200') {
    const ids = (listed(answer) as Record<string, unknown>[]).map((row) => row[fieldOf(id)]);
    expect([...new Set(ids)]).toEqual([value.toLowerCase()]);
  }
}

const cellsOf = ({ operation, cells }: Row, write: boolean) => {
  const isReading = operation.startsWith('GET') || /\/(?:explain|simulate)$/.test(operation);
  return Object.entries(cells).filter(
    ([, expected]) => expected !== '' && write === (!isReading && expected.startsWith('2')),
  );
};

const rowsWith = (write: boolean) =>
  rows
    .map((row, at) => [row.operation, row.id, cellsOf(row, write), at] as const)
    .filter(([, , cells]) => cells.length > 0)
    .map(
      ([operation, id, cells, at]) =>
        [operation, id, cells.map((cell) => cell.join(': ')).join(', '), cells, at] as const,
    );

test.each(rowsWith(false))('%s  %s answers: %s', async (operation, id, _, cells, at) => {
  stale = true;
  const requests = cells.flatMap(([whose, expected]) =>
    sample(valuesOf[whose]!(operation, id), at, 1).map((value) => [value, expected] as const),
  );
  // An account runs few exports at a time.
  const width = /\/(?:export|report|events)$/.test(operation) ? 1 : 8;
  await inParallel(requests, ([value, expected]) => expectAnswer(operation, id, value, expected), width);
  stale = false;
});

test('none of these requests has changed anything', async () => {
  expect(await stateOf(on.database)).toEqual(content);
});

const writing = rowsWith(true).flatMap(([operation, id, , cells]) =>
  cells.map(([whose, expected]) => [operation, id, whose, expected] as const),
);

test.each(writing)('%s  %s: %s → %s', async (operation, id, whose, expected) => {
  stale = true;
  await inParallel(valuesOf[whose]!(operation, id), (value) => expectAnswer(operation, id, value, expected));
});

const operations = [...new Set(rows.map(({ operation }) => operation))];

/** Sends a valid request for own resources with the given credential. */
const ownRequest = (operation: string, credential: string): Promise<ApiResponse> => {
  const id = /\{(\w+)\}$/.exec(operation)?.[1] ?? 'projectId';
  return request(operation, id, idIn(world.own, operation, id), credential);
};

const withId = operations.filter((operation) => operation.includes('{'));

test('refused credentials change nothing', async () => {
  const unknown = ['svc_live_unknown', provider.token(account.accountId, { exp: 1 }), provider.token(unknownId)];
  const refused: [operation: string, credential: string, code: ErrorCode][] = [
    ...operations
      .filter((operation) => !isPublic(operation))
      .flatMap((operation, at) =>
        sample(unknown, at, 1).map(
          (credential) => [operation, credential, 'UNAUTHORIZED'] as [string, string, ErrorCode],
        ),
      ),
    ...operations
      .filter(signedInOnly)
      .flatMap((operation) =>
        [account, another].map(({ key }) => [operation, key, 'AUTH_REQUIRED'] as [string, string, ErrorCode]),
      ),
    ...withId.map((operation): [string, string, ErrorCode] => [
      operation,
      provider.token(another.accountId),
      operation.includes(' /account/') ? 'NOT_FOUND' : 'ACCESS_DENIED',
    ]),
  ];
  await inParallel(refused, async ([operation, credential, code]) => {
    const answer = await ownRequest(operation, credential);
    expect(answer).toBeRefusedWith(code);
    expect(answer.text).not.toMatch(/mine/i);
  });
  expect(await stateOf(on.database)).toEqual(content);
});

test.each(withId.filter((_, at) => scale === 1 || at % 4 === 0))(
  '%s accepts a token of the account',
  async (operation) => {
    stale = true;
    const { status } = await ownRequest(operation, provider.token(account.accountId));
    expect(status).toBe(successOf(operation));
  },
);

test('every exception is of a described operation', () => {
  const described = rows.map(({ operation, id }) => `${operation} ${id}`);
  expect([...exceptional.keys()].filter((row) => !described.includes(row))).toEqual([]);
});

/** Routes without resources of an account. */
const openRoutes = ['GET /openapi.json'];

test('every route under /api/v1 is described', () => {
  const { router }: Express = on.service.app.getHttpAdapter().getInstance();
  const routes = (router.stack as { route?: { path: string; methods?: Record<string, boolean> } }[]).flatMap(
    ({ route }) => Object.keys(route?.methods ?? {}).map((method) => ({ method, path: route!.path })),
  );
  const served = routes
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map(({ method, path }) => `${method.toUpperCase()} ${path.slice('/api/v1'.length).replace(/:(\w+)/g, '{$1}')}`);
  expect(served.sort()).toEqual([...operations, ...openRoutes].sort());
});
