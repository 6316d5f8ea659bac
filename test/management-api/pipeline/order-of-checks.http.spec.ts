import { requiredFeature } from '../../../src/tenancy/accounts/requires-feature.decorator';
import { DynamicLinksController } from '../../../src/links/dynamic-links/dynamic-links.controller';
import { LinkListController } from '../../../src/clicks/link-lists/link-list.controller';
import type { ErrorCode } from '../../../src/shared/domain-error';
import { aDynamicLink, aProject } from '../../support/builders';
import { sendRequest } from '../../support/raw-http';
import { aService } from '../../support/service';
import { signInFixture } from '../../support/sign-in-service';
import { fixture } from '../../support/fixtures';

// Every route applies its checks in the same order. Each request fails one check and as many later ones as possible.
// - 401, 429
// - the plan of the route, 404 and 403 of the project
// - 400, 404 of the resource, 404 of resources in the body
// - the plan of a field, the quota, 409

const unknownId = '00000000-0000-7000-8000-000000000000';
let own: { project: string; link: string };
let foreign: { project: string; link: string };

const on = signInFixture({ QUOTA_FREE_DYNAMIC_LINKS: '2' });
const mine = fixture(() => on.anAccount('free'));
const theirs = fixture(() => on.anAccount('pro'));
beforeAll(async () => {
  own = await projectWithLinks(mine.key);
  foreign = await projectWithLinks(theirs.key);
});

/** Creates a project with two links, which use up the quota of the free plan. One has the path `taken`. */
async function projectWithLinks(key: string): Promise<{ project: string; link: string }> {
  const project = await aProject(on, key);
  await aDynamicLink(on, key, project.id, { custom_path: 'taken' });
  const link = await aDynamicLink(on, key, project.id, { custom_path: 'other' });
  return { project: project.id, link: link.id };
}

const malformed = '{"name":';
const unknownApp = { name: 'N', custom_path: 'taken', ios_app_id: unknownId, ios_deferred_deep_link: true };
const gatedField = { name: 'N', custom_path: 'taken', ios_deferred_deep_link: true };
const overQuota = { name: 'N', custom_path: 'taken' };
const invalid = { ...unknownApp, name: '' };
const forbidden = { ...invalid, full_url: 'https://x.example' };

/** Bodies by the checks that they break. A body breaks as many later checks as possible. */
const bodies: Record<string, unknown> = {
  malformed,
  forbidden,
  invalid,
  large: { name: 'x'.repeat(150_000) },
  text: 'x',
  'unknown iOS app': unknownApp,
  'unknown Android app': { ...gatedField, android_app_id: unknownId },
  'gated field': gatedField,
  'over quota': overQuota,
  'reserved name': { name: 'N', subdomain: 'www' },
};

const matrix = `
  request                       | body                | key | answer
  POST   MISSING/links          | malformed           | no  | UNAUTHORIZED
  POST   FOREIGN/links          | over quota          | no  | UNAUTHORIZED
  POST   /projects              | malformed           | no  | UNAUTHORIZED
  POST   /projects              | text                | no  | UNAUTHORIZED
  POST   /projects              | large               | no  | UNAUTHORIZED
  GET    /projects?page=0       |                     | no  | UNAUTHORIZED
  GET    /nothing               |                     | no  | UNAUTHORIZED
  PUT    /projects              | over quota          | no  | UNAUTHORIZED

  POST   MISSING/links          | malformed           | yes | NOT_FOUND
  POST   MISSING/links          | forbidden           | yes | NOT_FOUND
  GET    MISSING/links?page=0   |                     | yes | NOT_FOUND
  POST   /projects/x/links      | malformed           | yes | NOT_FOUND
  POST   FOREIGN/links          | malformed           | yes | ACCESS_DENIED
  POST   FOREIGN/links          | text                | yes | ACCESS_DENIED
  POST   FOREIGN/links          | large               | yes | ACCESS_DENIED
  GET    FOREIGN/links?limit=0  |                     | yes | ACCESS_DENIED
  GET    FOREIGN/links?tag=%ff  |                     | yes | ACCESS_DENIED
  GET    FOREIGN/links/UNKNOWN  |                     | yes | ACCESS_DENIED

  PUT    OWN/links/UNKNOWN      | malformed           | yes | INVALID_INPUT
  PUT    OWN/links/UNKNOWN      | invalid             | yes | INVALID_INPUT
  PUT    OWN/links/x            | invalid             | yes | INVALID_INPUT
  PUT    OWN/links/x            | forbidden           | yes | FORBIDDEN_FIELD
  GET    OWN/links/UNKNOWN?x=1  |                     | yes | INVALID_INPUT
  DELETE OWN/links/x?x=1        |                     | yes | INVALID_INPUT
  POST   OWN/links              | invalid             | yes | INVALID_INPUT

  PUT    OWN/links/UNKNOWN      | unknown iOS app     | yes | NOT_FOUND
  PUT    OWN/links/THEIR_LINK   | unknown iOS app     | yes | NOT_FOUND
  POST   OWN/links              | unknown iOS app     | yes | IOS_APP_NOT_FOUND
  POST   OWN/links              | unknown Android app | yes | ANDROID_APP_NOT_FOUND
  PUT    OWN/links/OWN_LINK     | unknown iOS app     | yes | IOS_APP_NOT_FOUND

  POST   OWN/links              | gated field         | yes | FORBIDDEN_PLAN
  PUT    OWN/links/OWN_LINK     | gated field         | yes | FORBIDDEN_PLAN
  POST   OWN/links              | over quota          | yes | ACCESS_DENIED
  POST   /projects              | reserved name       | yes | ACCESS_DENIED
  PUT    OWN/links/OWN_LINK     | over quota          | yes | CUSTOM_PATH_EXISTS
`;
const rows = matrix
  .trim()
  .split('\n')
  .slice(1)
  .filter((line) => line.trim() !== '')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, 'yes' | 'no', ErrorCode]);

const ownLinks = () => `/projects/${own.project}/links`;
const foreignLinks = () => `/projects/${foreign.project}/links`;
const missingLinks = () => `/projects/${unknownId}/links`;

const pathOf = (path: string): string =>
  path
    .replace('OWN_LINK', own.link)
    .replace('THEIR_LINK', foreign.link)
    .replace('OWN/links', ownLinks())
    .replace('FOREIGN/links', foreignLinks())
    .replace('MISSING/links', missingLinks())
    .replace('UNKNOWN', unknownId);

const token = (claims = {}) => on.provider.token(mine.accountId, claims);

describe.each<[string, valid: () => string, invalid: () => string | undefined]>([
  ['a key', () => mine.key, () => undefined],
  ['a token', token, () => token({ aud: 'other' })],
])('with %s', (_, valid, invalid) => {
  test.each(rows)('%s (body: %s, valid credential: %s) returns %s', async (request, bodyName, isValid, expected) => {
    const before = await storedRows();
    const [method, path] = request.split(/ +/) as [string, string];
    const sent = on.api(method.toLowerCase() as 'get', pathOf(path), isValid === 'yes' ? valid() : invalid());
    const body = bodies[bodyName];
    if (body !== undefined)
      sent
        .type(bodyName === 'text' ? 'text/plain' : 'application/json')
        .send(typeof body === 'string' ? body : JSON.stringify(body));
    expect(await sent).toBeRefusedWith(expected);
    expect(await storedRows()).toEqual(before);
  });
});

/** Returns the rows that a request could have changed. */
const storedRows = async () => ({
  projects: await on.database.query('SELECT * FROM projects ORDER BY id'),
  links: await on.database.query('SELECT * FROM dynamic_links ORDER BY id'),
  paths: await on.database.query('SELECT * FROM link_paths ORDER BY project_id, path'),
});

test.each(['/%zz', '/health/%zz', '/console/%zz', '/api/v1x/%zz'])(
  'the undecodable path %s outside the API is 400 without a key',
  async (path) => {
    expect(await sendRequest(on.url, `GET ${path}`)).toBeRefusedWith('INVALID_INPUT');
  },
);

describe('the project of another account', () => {
  const sentBodies = [
    ...Object.values(bodies),
    { name: 'N', custom_path: 'free' },
    [],
    { project_id: 'x', id: 'y' },
  ].filter((body) => body !== bodies['text']);

  test('returns the same 403 for every body', async () => {
    const answers = await Promise.all(
      sentBodies.flatMap((body) => {
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
    const links = [foreign.link, unknownId].map((id) => `${foreignLinks()}/${id}`);
    const paths = [`/projects/${foreign.project}`, ...links];
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
    const answer = await request.send(typeof body === 'string' ? body : JSON.stringify(body));
    const details = { feature: 'short_links', current_plan: 'free', required_plan: 'pro' };
    expect(answer).toBeRefusedWith('FORBIDDEN_PLAN', details);
  });

  test('returns 401 first', async () => {
    expect(await on.api('post', ownLinks()).send(overQuota)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('is available on a plan with the feature', async () => {
    expect(await on.api('post', foreignLinks(), theirs.key).send(overQuota)).toBeRefusedWith('CUSTOM_PATH_EXISTS');
  });
});

describe('the rate limit', () => {
  const limited = fixture(() => aService({ RATE_LIMIT_PER_MINUTE: '1' }));
  const account = fixture(() => limited.anAccount('free'));
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
