import request from 'supertest';
import { shareLimits } from '../../../src/clicks/shares/shared-statistics.controller';
import { maxShares } from '../../../src/clicks/shares/share';
import { ApiKeysService } from '../../../src/tenancy/api-keys/api-keys.service';
import { aDynamicLink, aProject, aShare, aTag, dataAt, inAMonth } from '../../support/builders';
import { changingNothing, contentOf } from '../../support/content';
import { fixtureOfEach, serviceFixture } from '../../support/fixtures';
import { aClick, anOpenedLink, clicksOn } from '../recording/counting';

const on = serviceFixture({ RATE_LIMIT_PER_MINUTE: '100000' });
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key, { name: 'Shop' }));
let links: Record<'summer' | 'winter', string>;

beforeEach(async () => {
  const link = async (name: string, fields: object) =>
    (await aDynamicLink(on, account.key, project.id, { name, notes: 'private note', ...fields })).id;
  const summer = { custom_path: 'summer', tags: ['News'], desktop_url: 'https://example.com/?q=secret' };
  links = { summer: await link('Summer <sale>', summer), winter: await link('Winter', { custom_path: 'winter' }) };
  const clicks = clicksOn(on.database);
  const many = (count: number, id: string, country: string, referrer: string | null = null) => {
    const click = { at: Date.now() - 3_600_000, projectId: project.id, link: anOpenedLink({ id }) };
    return Array.from({ length: count }, () => aClick({ ...click, country, referrer }));
  };
  await clicks.write([...many(7, links.summer, 'AT', 'news.example.com'), ...many(4, links.winter, 'DE')]);
  await clicks.close();
});

const share = (fields: object = {}) => aShare(on, account.key, project.id, fields as Record<string, unknown>);
const pathOf = ({ url }: { url: string }): string => new URL(url).pathname;
const open = (path: string, headers: Record<string, string> = {}) => request(on.url).get(path).set(headers);
const enter = (path: string, password: string) => request(on.url).post(path).type('form').send({ password });
const numbersIn = (html: string): string[] => [...html.matchAll(/<dd>([^<]*)<\/dd>/g)].map(([, text]) => text!);

test('shows the clicks of the project without a credential, and nothing private', async () => {
  const { status, text } = await open(pathOf(await share({ name: 'For <you>' })));
  expect(status).toBe(200);
  expect(text).toContain('<h1>For &lt;you&gt;</h1>');
  expect(numbersIn(text)).toEqual(['11', '0']);
  const countries = ['Austria', 'Germany'];
  for (const shown of [...countries, 'Desktop', 'news.example.com', 'Summer &lt;sale&gt;', '/summer', '/winter'])
    expect(text).toContain(shown);
  for (const hidden of ['private note', 'secret', 'example.com/?', project.id, account.accountId, links.summer])
    expect(text).not.toContain(hidden);
});

test('a share of a link or tag has its clicks only', async () => {
  const [tag] = await dataAt<{ id: string }[]>(on, account.key, `/projects/${project.id}/tags`);
  for (const fields of [{ dynamic_link_id: links.summer }, { tag_id: tag!.id }]) {
    const { text } = await open(pathOf(await share(fields)));
    expect(numbersIn(text)).toEqual(['7', '0']);
    expect(text).not.toContain('Winter');
  }
});

test.each([
  ['de-AT,de;q=0.9', '<html lang="de">', 'Österreich'],
  ['fr', '<html lang="en">', 'Austria'],
])('speaks the language of the reader: %s', async (language, ...texts) => {
  const { text } = await open(pathOf(await share()), { 'Accept-Language': language });
  for (const shown of texts) expect(text).toContain(shown);
});

test.each([
  ['7', 'Clicks per day', 7],
  ['365', 'Clicks per week', 53],
  ['9999', 'Clicks per day', 30],
  ['7&period=90', 'Clicks per day', 30],
])('shows the period %s within bounds', async (period, title, rows) => {
  const { text } = await open(`${pathOf(await share())}?period=${period}`);
  expect(text).toContain(title);
  const found = [...text.matchAll(/<tr><th scope="row">/g)].length;
  expect(Math.abs(found - rows)).toBeLessThanOrEqual(rows === 53 ? 1 : 0);
});

test('the page is not indexed, stored, framed, or able to load anything', async () => {
  for (const path of [pathOf(await share()), '/shared/unknown']) {
    const { headers, text } = await open(path);
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'nonce-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ) as string,
    });
    expect(text).not.toMatch(/<script|https?:\/\//);
  }
});

test('all addresses that cannot be read get the same answer', async () => {
  const expired = await share();
  await on.database.query("UPDATE statistic_shares SET expires_at = now() - interval '1 s' WHERE id = $1", [
    expired.id,
  ]);
  const revoked = await share();
  await on.api('delete', `/projects/${project.id}/shares/${revoked.id}`, account.key).expect(200);
  const ofLink = await share({ dynamic_link_id: links.winter });
  await on.api('delete', `/projects/${project.id}/links/${links.winter}`, account.key).expect(200);
  const ofTag = await share({ tag_id: (await aTag(on, account.key, project.id)).id });
  await on.database.query(
    'UPDATE tags SET retired_at = now() WHERE id = (SELECT tag_id FROM statistic_shares WHERE id = $1)',
    [ofTag.id],
  );
  const unknown = `/shared/${'A'.repeat(43)}`;
  const paths = [...[expired, revoked, ofLink, ofTag].map(pathOf), unknown, '/shared/x', `/shared/${'A'.repeat(500)}`];
  const withoutNonce = (html: string): string => html.replace(/nonce="[^"]*"/, '');
  const expected = withoutNonce((await open(unknown)).text);
  for (const path of paths) {
    const answer = await open(path);
    expect([path, answer.status, withoutNonce(answer.text)]).toEqual([path, 404, expected]);
    expect((await enter(path, 'a password')).status).toBe(404);
  }
});

test('a page ends with its project, and pauses with a disabled account', async () => {
  const path = pathOf(await share());
  const stop = (column: 'disabled' | 'frozen', value: boolean) =>
    on.database.query(`UPDATE accounts SET ${column} = $2 WHERE id = $1`, [account.accountId, value]);
  await stop('disabled', true);
  await open(path).expect(404);
  await stop('disabled', false);
  // Freezing stops changes, not reads.
  await stop('frozen', true);
  await open(path).expect(200);
  await stop('frozen', false);
  await on.api('delete', `/projects/${project.id}`, account.key).expect(200);
  await open(path).expect(404);
});

describe('a password', () => {
  const password = 'river-otter-piano';

  test('is required, and its proof is good for this page only', async () => {
    const path = pathOf(await share({ password }));
    const other = pathOf(await share({ password }));
    const refused = await open(path).expect(403);
    expect(refused.text).toContain('type="password"');
    expect(refused.text).not.toContain('Austria');
    expect((await enter(path, 'river-otter-pian')).status).toBe(403);
    const entered = await enter(path, password).expect(303);
    expect(entered.headers['location']).toBe(path);
    const [cookie = ''] = entered.get('Set-Cookie') ?? [];
    expect(cookie).toMatch(new RegExp(`; Path=${path}; Max-Age=43200; HttpOnly; SameSite=Lax$`));
    const [pass = ''] = cookie.split(';');
    expect((await open(path, { Cookie: `a=b; ${pass}` }).expect(200)).text).toContain('Austria');
    await open(other, { Cookie: pass }).expect(403);
    const wrong = ['signpost_share=', 'signpost_share=9999999999999.x'];
    for (const forged of [pass.slice(0, -1), pass.replace(/=\d/, '=9'), ...wrong])
      await open(path, { Cookie: forged }).expect(403);
  });

  // A minute may end meanwhile, so that the count begins again.
  test('can be tried a few times in a minute', async () => {
    const path = pathOf(await share({ password }));
    let attempts = 0;
    let answer = await enter(path, 'wrong');
    while (answer.status === 403) {
      attempts++;
      answer = await enter(path, `wrong ${attempts}`);
    }
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    expect(attempts).toBeGreaterThanOrEqual(shareLimits.attemptsOfNetwork);
  });

  test('neither it nor the address is in a table, an entry of the journal or the log', async () => {
    const created = await share({ password });
    await open(pathOf(created));
    const token = pathOf(created).split('/').at(-1)!;
    const places = [JSON.stringify(await contentOf(on.database)), on.logLines.join('\n')];
    for (const place of places) for (const secret of [token, password]) expect(place).not.toContain(secret);
  });

  test('is refused if the form is too large', async () => {
    await enter(pathOf(await share({ password })), 'x'.repeat(5000)).expect(413);
  });
});

test('views of one page are limited', async () => {
  const path = pathOf(await share({ password: 'a long password' }));
  let views = 0;
  let answer = await open(path);
  // A minute may end meanwhile, so that the count begins again.
  while (answer.status === 403) {
    views++;
    answer = await open(path);
  }
  expect([answer.status, answer.text.includes('Too many requests')]).toEqual([429, true]);
  expect(views).toBeGreaterThanOrEqual(shareLimits.views);
});

test('a project has a limited number of shares', async () => {
  for (let number = 0; number < maxShares; number++) await share();
  const body = { name: 'One more', expires_at: inAMonth() };
  const more = await on.api('post', `/projects/${project.id}/shares`, account.key).send(body);
  expect(more).toBeRefusedWith('ACCESS_DENIED');
});

test('a key needs the scopes of links and of statistics', async () => {
  const key = async (...scopes: string[]) => {
    const { secret, id } = await on.service.app.get(ApiKeysService).create(account.accountId, 'Key', null);
    await on.database.query('UPDATE api_keys SET scopes = $2 WHERE id = $1', [id, scopes]);
    return secret;
  };
  const create = async (secret: string) =>
    (await on.api('post', `/projects/${project.id}/shares`, secret).send({ name: 'A', expires_at: inAMonth() })).status;
  expect(await create(await key('links:write'))).toBe(403);
  expect(await create(await key('analytics:read', 'links:write'))).toBe(201);
});

test('a link and a tag exclude each other', async () => {
  const { id } = await aTag(on, account.key, project.id);
  const body = { name: 'A', expires_at: inAMonth(), dynamic_link_id: links.summer, tag_id: id };
  const send = () => on.api('post', `/projects/${project.id}/shares`, account.key).send(body);
  expect(await changingNothing(on, send)).toBeRefusedWith('INVALID_INPUT');
});

test('creation and deletion are entries of the history', async () => {
  const { id } = await share({ name: 'Agency', password: 'a long password' });
  await on.api('delete', `/projects/${project.id}/shares/${id}`, account.key).expect(200);
  const { body } = await on.api('get', `/projects/${project.id}/history?resource_id=${id}`, account.key).expect(200);
  const { data } = body as { data: { type: string; after: object | null; before: object | null }[] };
  expect(data.map(({ type }) => type)).toEqual(['share.deleted', 'share.created']);
  expect(JSON.stringify(data)).not.toMatch(/digest|password/);
});
