import { requiredFeature } from '../../../src/tenancy/accounts/requires-feature.decorator';
import { DynamicLinksController } from '../../../src/links/dynamic-links/dynamic-links.controller';
import { LinkListController } from '../../../src/clicks/link-lists/link-list.controller';
import type { ErrorCode } from '../../../src/shared/domain-error';
import { aDynamicLink, aProject } from '../../support/builders';
import { IdentityProvider } from '../../support/identity-provider';
import { sendRequest } from '../../support/raw-http';
import { aService, type TestAccount, type TestService } from '../../support/service';

// Every route applies its checks in the same order. Each request fails one check and as many later ones as possible.
// - 401, 429
// - the plan of the route, 404 and 403 of the project
// - 400, 404 of the resource, 404 of resources in the body
// - the plan of a field, the quota, 409

const unknownId = '00000000-0000-7000-8000-000000000000';

let provider: IdentityProvider;
let on: TestService;
let mine: TestAccount;
let theirs: TestAccount;
let own: { project: string; link: string };
let foreign: { project: string; link: string };

beforeAll(async () => {
  provider = await IdentityProvider.start();
  on = await aService({ ...provider.environment, QUOTA_FREE_DYNAMIC_LINKS: '2' });
  mine = await on.anAccount('free');
  theirs = await on.anAccount('pro');
  own = await projectWithLinks(mine.key);
  foreign = await projectWithLinks(theirs.key);
});
afterAll(async () => {
  await on.stop();
  await provider.stop();
});

/** Creates a project with two links, which use up the quota of the free plan. One has the path `taken`. */
async function projectWithLinks(key: string): Promise<{ project: string; link: string }> {
  const project = await aProject(on, key);
  await aDynamicLink(on, key, project.id, { custom_path: 'taken' });
  const link = await aDynamicLink(on, key, project.id, { custom_path: 'other' });
  return { project: project.id, link: link.id };
}

const malformed = '{"name":';
const invalid = { name: '', custom_path: 'taken', ios_app_id: unknownId, ios_deferred_deep_link: true };
const forbidden = { ...invalid, full_url: 'https://x.example' };
const unknownApp = { name: 'N', custom_path: 'taken', ios_app_id: unknownId, ios_deferred_deep_link: true };
const unknownAndroidApp = { name: 'N', custom_path: 'taken', android_app_id: unknownId, ios_deferred_deep_link: true };
const gatedField = { name: 'N', custom_path: 'taken', ios_deferred_deep_link: true };
const overQuota = { name: 'N', custom_path: 'taken' };

interface Row {
  breaks: string;
  with?: 'my key' | 'no key';
  method?: 'get' | 'post' | 'put' | 'delete';
  path: () => string;
  body?: unknown;
  type?: string;
  expected: ErrorCode;
}

const ownLinks = () => `/projects/${own.project}/links`;
const foreignLinks = () => `/projects/${foreign.project}/links`;
const missingLinks = () => `/projects/${unknownId}/links`;

const rows: Row[] = [
  { breaks: '401 and all others', with: 'no key', path: missingLinks, body: malformed, expected: 'UNAUTHORIZED' },
  { breaks: '401 and 403', with: 'no key', path: foreignLinks, body: overQuota, expected: 'UNAUTHORIZED' },
  {
    breaks: '401 and malformed JSON',
    with: 'no key',
    path: () => '/projects',
    body: malformed,
    expected: 'UNAUTHORIZED',
  },
  {
    breaks: '401 and the media type',
    with: 'no key',
    path: () => '/projects',
    type: 'text/plain',
    body: 'x',
    expected: 'UNAUTHORIZED',
  },
  {
    breaks: '401 and the body size',
    with: 'no key',
    path: () => '/projects',
    body: { name: 'x'.repeat(150_000) },
    expected: 'UNAUTHORIZED',
  },
  {
    breaks: '401 and the query',
    with: 'no key',
    method: 'get',
    path: () => '/projects?page=0',
    expected: 'UNAUTHORIZED',
  },
  {
    breaks: '401 and an unknown route',
    with: 'no key',
    method: 'get',
    path: () => '/nothing',
    expected: 'UNAUTHORIZED',
  },
  {
    breaks: '401 and the method',
    with: 'no key',
    method: 'put',
    path: () => '/projects',
    body: {},
    expected: 'UNAUTHORIZED',
  },

  { breaks: '404 of the project and malformed JSON', path: missingLinks, body: malformed, expected: 'NOT_FOUND' },
  { breaks: '404 of the project and the body', path: missingLinks, body: forbidden, expected: 'NOT_FOUND' },
  {
    breaks: '404 of the project and the query',
    method: 'get',
    path: () => `${missingLinks()}?page=0`,
    expected: 'NOT_FOUND',
  },
  {
    breaks: '404 of a project that is no UUID and the body',
    path: () => '/projects/x/links',
    body: malformed,
    expected: 'NOT_FOUND',
  },
  { breaks: '403 and malformed JSON', path: foreignLinks, body: malformed, expected: 'ACCESS_DENIED' },
  { breaks: '403 and the body', path: foreignLinks, body: invalid, expected: 'ACCESS_DENIED' },
  { breaks: '403 and forbidden fields', path: foreignLinks, body: forbidden, expected: 'ACCESS_DENIED' },
  { breaks: '403 and the media type', path: foreignLinks, type: 'text/plain', body: 'x', expected: 'ACCESS_DENIED' },
  {
    breaks: '403 and the body size',
    path: foreignLinks,
    body: { name: 'x'.repeat(150_000) },
    expected: 'ACCESS_DENIED',
  },
  { breaks: '403 and the query', method: 'get', path: () => `${foreignLinks()}?limit=101`, expected: 'ACCESS_DENIED' },
  {
    breaks: '403 and an undecodable query',
    method: 'get',
    path: () => `${foreignLinks()}?search=%ff`,
    expected: 'ACCESS_DENIED',
  },
  {
    breaks: '403 and 404 of the link',
    method: 'get',
    path: () => `${foreignLinks()}/${unknownId}`,
    expected: 'ACCESS_DENIED',
  },
  { breaks: '403 and 404 of apps', path: foreignLinks, body: unknownApp, expected: 'ACCESS_DENIED' },
  { breaks: '403 and the plan of a field', path: foreignLinks, body: gatedField, expected: 'ACCESS_DENIED' },

  {
    breaks: 'malformed JSON and 404 of the link',
    method: 'put',
    path: () => `${ownLinks()}/${unknownId}`,
    body: malformed,
    expected: 'INVALID_INPUT',
  },
  {
    breaks: 'the body and 404 of the link',
    method: 'put',
    path: () => `${ownLinks()}/${unknownId}`,
    body: invalid,
    expected: 'INVALID_INPUT',
  },
  {
    breaks: 'the body and 404 of a link that is no UUID',
    method: 'put',
    path: () => `${ownLinks()}/x`,
    body: invalid,
    expected: 'INVALID_INPUT',
  },
  {
    breaks: 'forbidden and invalid fields',
    method: 'put',
    path: () => `${ownLinks()}/x`,
    body: forbidden,
    expected: 'FORBIDDEN_FIELD',
  },
  {
    breaks: 'the query and 404 of the link',
    method: 'get',
    path: () => `${ownLinks()}/${unknownId}?page=1`,
    expected: 'INVALID_INPUT',
  },
  {
    breaks: 'the query and 404 of a link to delete',
    method: 'delete',
    path: () => `${ownLinks()}/x?page=1`,
    expected: 'INVALID_INPUT',
  },
  { breaks: 'the body, apps, plan, quota and 409', path: ownLinks, body: invalid, expected: 'INVALID_INPUT' },

  {
    breaks: '404 of the link, apps, plan and 409',
    method: 'put',
    path: () => `${ownLinks()}/${unknownId}`,
    body: unknownApp,
    expected: 'NOT_FOUND',
  },
  {
    breaks: '404 of a link of another project',
    method: 'put',
    path: () => `${ownLinks()}/${foreign.link}`,
    body: unknownApp,
    expected: 'NOT_FOUND',
  },

  {
    breaks: '404 of the iOS app, plan, quota and 409',
    path: ownLinks,
    body: unknownApp,
    expected: 'IOS_APP_NOT_FOUND',
  },
  {
    breaks: '404 of the Android app, plan, quota and 409',
    path: ownLinks,
    body: unknownAndroidApp,
    expected: 'ANDROID_APP_NOT_FOUND',
  },
  {
    breaks: '404 of the iOS app, plan and 409',
    method: 'put',
    path: () => `${ownLinks()}/${own.link}`,
    body: unknownApp,
    expected: 'IOS_APP_NOT_FOUND',
  },

  { breaks: 'the plan of a field, quota and 409', path: ownLinks, body: gatedField, expected: 'FORBIDDEN_PLAN' },
  {
    breaks: 'the plan of a field and 409',
    method: 'put',
    path: () => `${ownLinks()}/${own.link}`,
    body: gatedField,
    expected: 'FORBIDDEN_PLAN',
  },

  { breaks: 'the quota of links and 409', path: ownLinks, body: overQuota, expected: 'ACCESS_DENIED' },
  {
    breaks: 'the quota of projects and a reserved name',
    path: () => '/projects',
    body: { name: 'N', subdomain: 'www' },
    expected: 'ACCESS_DENIED',
  },
  {
    breaks: '409 alone',
    method: 'put',
    path: () => `${ownLinks()}/${own.link}`,
    body: overQuota,
    expected: 'CUSTOM_PATH_EXISTS',
  },
];

describe.each<[string, { valid: () => string; invalid: () => string | undefined }]>([
  ['a key', { valid: () => mine.key, invalid: () => undefined }],
  [
    'a token',
    { valid: () => provider.token(mine.accountId), invalid: () => provider.token(mine.accountId, { aud: 'other' }) },
  ],
])('with %s, a request that fails', (_, { valid, invalid }) => {
  test.each(rows)(
    '$breaks returns $expected',
    async ({ with: credential = 'my key', method = 'post', path, body, type = 'application/json', expected }) => {
      const before = await storedRows();
      const request = on.api(method, path(), credential === 'my key' ? valid() : invalid());
      const sent =
        body === undefined ? request : request.type(type).send(typeof body === 'string' ? body : JSON.stringify(body));
      expect(await sent).toBeRefusedWith(expected);
      expect(await storedRows()).toEqual(before);
    },
  );
});

/** Returns the rows that a request could have changed. */
const storedRows = async () => ({
  projects: await on.database.query('SELECT * FROM projects ORDER BY id'),
  links: await on.database.query('SELECT * FROM dynamic_links ORDER BY id'),
  paths: await on.database.query('SELECT * FROM link_paths ORDER BY project_id, path'),
});

test('an undecodable path returns 401 without a key and 400 with one', async () => {
  expect(await sendRequest(on.url, 'GET /api/v1/projects/%ff')).toBeRefusedWith('UNAUTHORIZED');
  const headers = { Authorization: `Bearer ${mine.key}` };
  expect(await sendRequest(on.url, 'GET /api/v1/projects/%ff', headers)).toBeRefusedWith('INVALID_INPUT');
});

test.each(['/%zz', '/health/%zz', '/console/%zz', '/api/v1x/%zz'])(
  'the undecodable path %s outside the API is 400 without a key',
  async (path) => {
    expect(await sendRequest(on.url, `GET ${path}`)).toBeRefusedWith('INVALID_INPUT');
  },
);

describe('the project of another account', () => {
  const bodies: [string, unknown][] = [
    ['valid', { name: 'N', custom_path: 'free' }],
    ['a path that exists there', overQuota],
    ['malformed', malformed],
    ['forbidden fields', forbidden],
    ['invalid', invalid],
    ['an unknown app', unknownApp],
    ['a gated field', gatedField],
    ['an array', []],
    ['its own ids', { project_id: 'x', id: 'y' }],
  ];

  test('returns the same 403 for every body', async () => {
    const answers = await Promise.all(
      bodies.flatMap(([, body]) => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const paths: ['post' | 'put', string][] = [
          ['post', foreignLinks()],
          ['put', `/projects/${foreign.project}`],
          ['put', `${foreignLinks()}/${foreign.link}`],
          ['put', `${foreignLinks()}/${unknownId}`],
        ];
        return paths.map(async ([method, path]) => {
          const { status, text: answer } = await on.api(method, path, mine.key).type('application/json').send(text);
          return `${status} ${answer}`;
        });
      }),
    );
    expect(new Set(answers)).toEqual(new Set([answers[0]]));
    expect(answers[0]).toMatch(/^403 \{"error":\{"code":"ACCESS_DENIED","message":"[^"]+"\}\}$/);
  });

  test.each(['get', 'delete'] as const)('returns the same 403 to %s for existing and unknown links', async (method) => {
    const paths = [
      `/projects/${foreign.project}`,
      `${foreignLinks()}/${foreign.link}`,
      `${foreignLinks()}/${unknownId}`,
    ];
    const answers = await Promise.all(paths.map((path) => on.api(method, path, mine.key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toBeRefusedWith('ACCESS_DENIED');
  });
});

describe('a route restricted to a plan', () => {
  const gated = DynamicLinksController.prototype.create;
  beforeAll(() => Reflect.defineMetadata(requiredFeature, 'short_links', gated));
  afterAll(() => Reflect.deleteMetadata(requiredFeature, gated));

  test.each<[string, () => string, unknown]>([
    ['404 of the project', missingLinks, overQuota],
    ['403', foreignLinks, malformed],
    ['malformed JSON', ownLinks, malformed],
    ['quota and 409', ownLinks, overQuota],
  ])('returns FORBIDDEN_PLAN with the required plan before %s', async (_, path, body) => {
    const request = on.api('post', path(), mine.key).type('application/json');
    expect(await request.send(typeof body === 'string' ? body : JSON.stringify(body))).toBeRefusedWith(
      'FORBIDDEN_PLAN',
      {
        feature: 'short_links',
        current_plan: 'free',
        required_plan: 'pro',
      },
    );
  });

  test('returns 401 first', async () => {
    expect(await on.api('post', ownLinks()).send(overQuota)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('is available on a plan with the feature', async () => {
    expect(await on.api('post', foreignLinks(), theirs.key).send(overQuota)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  });
});

describe('the rate limit', () => {
  let limited: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    limited = await aService({ RATE_LIMIT_PER_MINUTE: '1' });
    account = await limited.anAccount('free');
  });
  afterAll(() => limited.stop());
  beforeEach(async () => {
    limited.clock.ahead += 60_000 - (limited.clock.now() % 60_000);
    await limited.api('get', '/projects', account.key).expect(200);
  });

  test('counts a request without a key by its address, even if a key has reached its limit', async () => {
    expect(await limited.api('get', '/projects')).toBeRefusedWith('UNAUTHORIZED');
    expect(await limited.api('get', '/projects')).toBeRefusedWith('RATE_LIMITED');
  });

  test.each([
    ['an unknown project', 'get', `/projects/${unknownId}`],
    ['an unknown project and malformed JSON', 'post', `/projects/${unknownId}/links`],
    ['malformed JSON', 'post', '/projects'],
    ['the query', 'get', '/projects?page=0'],
    ['an undecodable URL', 'get', '/projects/%ff'],
    ['an unknown route', 'get', '/nothing'],
    ['the method', 'patch', '/projects'],
    ['an operation for signed-in users', 'get', '/account/api-keys'],
  ] as const)('is checked before %s', async (_, method, path) => {
    const request = limited.api(method, path, account.key);
    if (method === 'post') request.type('application/json').send(malformed);
    expect(await request).toBeRefusedWith('RATE_LIMITED');
  });

  test('is checked before the plan of a route', async () => {
    const gated = LinkListController.prototype.list;
    Reflect.defineMetadata(requiredFeature, 'short_links', gated);
    try {
      const path = `/projects/${unknownId}/links`;
      expect(await limited.api('get', path, account.key)).toBeRefusedWith('RATE_LIMITED');
      limited.clock.ahead += 60_000;
      expect(await limited.api('get', path, account.key)).toBeRefusedWith('FORBIDDEN_PLAN');
    } finally {
      Reflect.deleteMetadata(requiredFeature, gated);
    }
  });
});
