import { createHash } from 'node:crypto';
import { keptAfterExpiryMs } from '../../../src/link-traffic/deferred-links/deferred-link';
import { PgDeferredLinkRepository } from '../../../src/link-traffic/deferred-links/pg-deferred-link.repository';
import { aDynamicLink, aShortLink, aTemplate } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { aPool } from '../../support/pool';
import { atEndOfTest } from '../../support/end-of-test';
import { aServiceOfTest, serviceFixture, accountFixture } from '../../support/fixtures';
import {
  aCampaign,
  age,
  ageClaims,
  androidToken,
  type Campaign,
  claim,
  clipboardTextOf,
  iosToken,
  iPhone,
  macintosh,
  tokensIn,
  unknownToken,
  untilStored,
} from './claim-link';

const on = serviceFixture();
const account = accountFixture(on);

const campaign = (fields?: Record<string, unknown>): Promise<Campaign> => aCampaign(on, fields, account.key);

const change = ({ project, link }: Campaign, fields: Record<string, unknown>) =>
  on.api('put', `/projects/${project.id}/links/${link.id}`, account.key).send(fields).expect(200);

test('an iPhone copies the link with a token, and the app claims the link once', async () => {
  const fields = { referrer_params: { utm_source: 'mail', ref: 'ä b' }, app_data: { z: 1, a: { b: 'ä' } } };
  const { project, link } = await campaign(fields);
  const before = on.clock.now();
  const page = await on.visit(project.subdomain, '/summer?x=1', { 'User-Agent': iPhone });

  expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(page.text).toContain('href="https://apps.apple.com/app/id1234567890"');
  const copied = new URL(clipboardTextOf(page.text));
  const token = copied.searchParams.get('deferred_link')!;
  expect(token).toMatch(/^[A-Za-z0-9_-]{22}$/);
  copied.searchParams.delete('deferred_link');
  expect(copied.href).toBe(`${link.full_url}?x=1`);

  const first = await claim(on, project.subdomain, token);
  const after = on.clock.now();
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    data: {
      full_url: link.full_url,
      path: 'summer',
      ...fields,
      external_id: null,
      click_id: null,
      clicked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  });
  const clickedAt = Date.parse(first.body.data.clicked_at);
  expect([clickedAt >= before, clickedAt <= after]).toEqual([true, true]);
  expect(first.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  expect(await claim(on, project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
});

test('an Android visit gets a token without ios_deferred_deep_link', async () => {
  const made = await campaign({ ios_deferred_deep_link: false });
  expect((await claim(on, made.project.subdomain, await androidToken(on, made))).status).toBe(200);
});

test('an iPad with the user agent of a Macintosh gets its token after its detection', async () => {
  const { project } = await campaign();
  const page = await on.visit(project.subdomain, '/summer?_via=ipad', { 'User-Agent': macintosh }).expect(200);
  await claim(on, project.subdomain, tokensIn(clipboardTextOf(page.text))[0]).expect(200);
});

test('a claim for a short link returns its dynamic link', async () => {
  const made = await campaign();
  const { slug } = await aShortLink(on, account.key, made.project.id, made.link.id);
  const { body } = await claim(on, made.project.subdomain, await iosToken(on, made, slug));
  expect(body.data).toMatchObject({ full_url: made.link.full_url, path: 'summer', referrer_params: null });
});

test('a claim returns the parameters of the template before those of the link', async () => {
  const made = await campaign({ referrer_params: { b: 'own', c: '3' } });
  const { project } = made;
  await aTemplate(on, account.key, project.id, { name: 'Mails', referrer_params: { z: '1', b: '2', a: '4' } });
  await change(made, { template: 'Mails' });
  const { text } = await claim(on, project.subdomain, await iosToken(on, made));
  expect(text).toContain('"referrer_params":{"z":"1","a":"4","b":"own","c":"3"}');
});

describe('between the visit and the claim', () => {
  test('a changed path and changed parameters appear in the claim', async () => {
    const made = await campaign({ referrer_params: { old: '1' } });
    const token = await iosToken(on, made);
    await change(made, { custom_path: 'autumn/2', referrer_params: { new: '2' } });
    const { body } = await claim(on, made.project.subdomain, token);
    expect(body.data).toMatchObject({
      full_url: made.link.full_url.replace(/summer$/, 'autumn/2'),
      path: 'autumn/2',
      referrer_params: { new: '2' },
    });
  });

  test('a changed subdomain appears in a claim on the old host', async () => {
    const made = await campaign();
    const token = await iosToken(on, made);
    const { subdomain } = made.project;
    const renamed = { subdomain: `${subdomain}-new` };
    await on.api('put', `/projects/${made.project.id}`, account.key).send(renamed).expect(200);
    // A claim uses up the token, so the new host must have reached link traffic before.
    await eventually(async () => (await on.visit(`${subdomain}-new`, '/summer')).status !== 404);
    const { body } = await claim(on, subdomain, token);
    expect(body.data.full_url).toBe(`http://${subdomain}-new.localhost:3000/summer`);
  });

  test('a deleted link cannot be claimed, even if another link has its path', async () => {
    const made = await campaign();
    const token = await iosToken(on, made);
    await on.api('delete', `/projects/${made.project.id}/links/${made.link.id}`, account.key).expect(200);
    const other = { custom_path: 'summer', desktop_url: 'https://example.com/other' };
    await aDynamicLink(on, account.key, made.project.id, other);
    await eventually(async () => {
      const { headers } = await on.visit(made.project.subdomain, '/summer');
      return headers['location'] === other.desktop_url;
    });
    expect(await claim(on, made.project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
  });

  test('issued tokens stay valid after ios_deferred_deep_link or the app is removed', async () => {
    const made = await campaign();
    const tokens = [await iosToken(on, made), await androidToken(on, made)];
    await change(made, { ios_deferred_deep_link: false, ios_app_id: null, android_app_id: null });
    for (const token of tokens) expect((await claim(on, made.project.subdomain, token)).status).toBe(200);
  });

  test('a deleted project loses its tokens, stored or waiting', async () => {
    const made = await campaign();
    const other = await campaign();
    const kept = await iosToken(on, other);
    const written = await iosToken(on, made);
    await eventually(async () => (await rowsOf(made.project.id)) === 1);
    const waiting = await iosToken(on, made);
    await on.api('delete', `/projects/${made.project.id}`, account.key).expect(200);
    // A later write would have included the waiting token.
    await iosToken(on, other);
    await eventually(async () => (await rowsOf(other.project.id)) === 2);
    await eventually(async () => (await rowsOf(made.project.id)) === 0);
    for (const token of [written, waiting])
      expect(await claim(on, made.project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
    expect((await claim(on, other.project.subdomain, kept)).status).toBe(200);
  });

  const rowsOf = async (projectId: string) =>
    (await on.database.query('SELECT FROM deferred_links WHERE project_id = $1', [projectId])).length;
});

test("a claim on another project's host is refused and does not use up the token", async () => {
  const made = await campaign();
  const ownOther = await campaign();
  const foreign = await aCampaign(on);
  const token = await iosToken(on, made);
  for (const { project } of [ownOther, foreign])
    expect(await claim(on, project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
  expect((await claim(on, made.project.subdomain, token)).status).toBe(200);
});

test.each(['nobody-has-this', 'deep.below'])(
  'a link host without a project (%s) answers like an unknown token',
  async (subdomain) => {
    const answer = await claim(on, subdomain, unknownToken);
    expect(answer).toBeRefusedWith('NOT_FOUND');
    const { project } = await campaign();
    expect(answer.body).toEqual((await claim(on, project.subdomain, unknownToken)).body);
  },
);

test('the table stores digests and no tokens', async () => {
  const made = await campaign();
  const tokens = [await iosToken(on, made), await androidToken(on, made)];
  const rows = await eventually(async () => {
    const found = await on.database.query<{ token_digest: Buffer; row: string }>(
      'SELECT token_digest, t::text AS row FROM deferred_links t WHERE project_id = $1',
      [made.project.id],
    );
    return found.length === 2 && found;
  });
  expect(rows.map((row) => row.token_digest.toString('hex')).sort()).toEqual(
    tokens.map((token) => createHash('sha256').update(token).digest('hex')).sort(),
  );
  const hexOf = (token: string, encoding?: 'base64url') => Buffer.from(token, encoding).toString('hex');
  const secrets = tokens.flatMap((token) => [token, hexOf(token), hexOf(token, 'base64url')]);
  for (const { row } of rows) expect(secrets.filter((secret) => row.includes(secret))).toEqual([]);
  // A digest is not accepted as a token.
  for (const { token_digest: digest } of rows)
    expect(await claim(on, made.project.subdomain, digest.toString('base64url'))).toBeRefusedWith('NOT_FOUND');
  expect(on.logLines.filter((line) => tokens.some((token) => line.includes(token)))).toEqual([]);
});

test('the same claim is answered again for an hour, counts once, and another claim is not', async () => {
  const made = await campaign();
  const { subdomain } = made.project;
  const [token, other] = [await androidToken(on, made), await androidToken(on, made)];
  const id = 'a'.repeat(22);
  const first = await claim(on, subdomain, token, {}, id).expect(200);
  await change(made, { custom_path: 'autumn' });
  const again = await Promise.all(Array.from({ length: 5 }, () => claim(on, subdomain, token, {}, id).expect(200)));
  for (const { body } of again)
    expect(body.data).toMatchObject({ path: 'autumn', clicked_at: first.body.data.clicked_at });
  for (const otherId of ['b'.repeat(22), undefined])
    expect(await claim(on, subdomain, token, {}, otherId)).toBeRefusedWith('NOT_FOUND');
  // A claim without an id is not repeated.
  await claim(on, subdomain, other).expect(200);
  for (const otherId of [id, undefined])
    expect(await claim(on, subdomain, other, {}, otherId)).toBeRefusedWith('NOT_FOUND');
  const path = `/projects/${made.project.id}/analytics?metric=claims`;
  expect((await on.api('get', path, account.key)).body.data.totals.clicks).toBe(2);
  await ageClaims(on);
  expect(await claim(on, subdomain, token, {}, id)).toBeRefusedWith('NOT_FOUND');
});

test.each(['before its token is stored', 'on two services'])(
  'of ten concurrent claims, one gets the link %s',
  async (when) => {
    const replica = await aServiceOfTest({}, on.database);
    const made = await campaign();
    for (let round = 0; round < 5; round++) {
      const isStored = when === 'on two services';
      if (isStored) await on.database.query('DELETE FROM deferred_links');
      const token = await androidToken(round % 2 ? on : replica, made);
      if (isStored) await untilStored(on, 1);
      const services = isStored ? [on, replica] : [round % 2 ? on : replica];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          claim(services[at % services.length]!, made.project.subdomain, token, {}, String(at).repeat(22)),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
    }
  },
);

test('the row of a claimed token is purged an hour after its claim', async () => {
  const made = await campaign();
  const token = await iosToken(on, made);
  await claim(on, made.project.subdomain, token).expect(200);
  const pool = aPool({ connectionString: on.database.url });
  atEndOfTest(() => pool.end());
  const rows = () => on.database.query('SELECT FROM deferred_links WHERE project_id = $1', [made.project.id]);
  const repository = new PgDeferredLinkRepository(pool);
  await repository.purgeExpired(1000);
  expect(await rows()).toHaveLength(1);
  await age(on, keptAfterExpiryMs);
  await repository.purgeExpired(1000);
  expect(await rows()).toHaveLength(1);
  await ageClaims(on);
  await repository.purgeExpired(1000);
  expect(await rows()).toEqual([]);
});

test('a claim of a disabled link leaves the token for later', async () => {
  const made = await campaign();
  const token = await iosToken(on, made);
  await change(made, { disabled: true });
  expect(await claim(on, made.project.subdomain, token)).toBeRefusedWith('NOT_FOUND');
  await change(made, { disabled: false });
  expect((await claim(on, made.project.subdomain, token)).status).toBe(200);
});
