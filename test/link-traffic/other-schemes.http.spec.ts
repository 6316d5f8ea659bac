import { userAgents } from '../link-routing/user-agents';
import { explainVisit } from '../diagnostics/explain/read-answer';
import { aDynamicLink, aProject, aShortLink } from '../support/builders';
import { sendRequest } from '../support/raw-http';
import { serviceFixture } from '../support/fixtures';

const on = serviceFixture();
let key: string;
beforeAll(async () => ({ key } = await on.anAccount('enterprise')));

const mail = 'mailto:ann@example.com?subject=Sale';
const fields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url'] as const;

const visit = (subdomain: string, path: string, agent = '') =>
  sendRequest(on.url, `GET /${path}`, { Host: `${subdomain}.localhost`, 'User-Agent': agent });

test.each(fields)(
  'a project that allows no other scheme refuses one in %s, wherever a link is written',
  async (field) => {
    const { id } = await aProject(on, key);
    const link = await aDynamicLink(on, key, id, { external_id: 'crm-1' });
    const problem = {
      code: 'invalid_format',
      path: [field],
      message: `${field} has the scheme mailto, which allowed_schemes of the project does not have; add it there, or use https`,
    };
    const send = (method: 'post' | 'put', path: string, body: object) =>
      on.api(method, `/projects/${id}${path}`, key).send(body);
    const body = { name: 'A', [field]: mail };
    for (const answer of [
      await send('post', '/links', body),
      await send('put', `/links/${link.id}`, body),
      await send('put', '/links/by-external-id/crm-1', body),
      await send('put', '/links/by-external-id/crm-2', body),
      await send('post', '/explain?platform=desktop', body),
      await send('post', `/links/${link.id}/explain?platform=desktop`, body),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([400, { error: { details: [problem] } }]);
    }
    const operations = [
      { op: 'create', link: body },
      { op: 'update', id: link.id, link: body },
    ];
    const bulk = await send('post', '/links/bulk', { operations, atomic: false }).expect(200);
    const { results } = (bulk.body as { data: { results: unknown[] } }).data;
    for (const result of results) expect(result).toMatchObject({ error: { details: [problem] } });
  },
);

test('the social image and the pages of the project are http or https, whatever the project allows', async () => {
  const { id } = await aProject(on, key, { allowed_schemes: ['mailto'] });
  await on.api('post', `/projects/${id}/links`, key).send({ name: 'A', social_image_url: mail }).expect(400);
  for (const body of [{ root_url: mail }, { not_found_url: mail }])
    await on.api('put', `/projects/${id}`, key).send(body).expect(400);
});

test('visitors get a page with a button, without parameters', async () => {
  const project = await aProject(on, key, { allowed_schemes: ['mailto', 'shop'] });
  const link = await aDynamicLink(on, key, project.id, {
    desktop_url: 'MAILTO:ann@example.com?subject=Sale',
    ios_fallback_url: 'shop://sale?"a"=<b>',
    android_fallback_url: 'https://example.com/android',
    referrer_params: { utm_source: 'link' },
  });
  expect(link['desktop_url']).toBe(mail);
  const { slug } = await aShortLink(on, key, project.id, link.id);

  for (const path of [link.custom_path, slug]) {
    const { status, headers, text } = await visit(project.subdomain, `${path}?bcc=eve@example.com`, userAgents.desktop);
    expect([status, headers['location'], headers['cache-control']]).toEqual([200, undefined, 'private, no-store']);
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[\w+/=]+';/);
    expect(text).toContain(`<a class="button primary" href="${mail}">Open</a>`);
    expect(text).toContain(`<script data-value="${mail}">`);
    expect(text).not.toContain('eve');
    expect(text).not.toContain('utm_source');
  }
  const phone = await visit(project.subdomain, slug, userAgents.iphone);
  expect(phone.text).toContain('href="shop://sale?%22a%22=%3Cb%3E"');
  expect(phone.text).not.toContain('<script');
  const android = await visit(project.subdomain, `${slug}?a=1`, userAgents.pixel);
  expect(android.headers['location']).toBe('https://example.com/android?utm_source=link&a=1');

  const asked = { platform: 'desktop', query: 'a=1' };
  const data = await explainVisit(on, key, { projectId: project.id, linkId: link.id }, asked);
  expect(data.answer).toMatchObject({ kind: 'other_scheme', status: 200, location: null });
  expect(data.answer.page!.links).toEqual([{ role: 'destination', url: mail }]);
  expect(data.steps).toContainEqual(expect.objectContaining({ rule: 'parameters', finding: 'other_scheme' }));
});

test('a link keeps a destination whose scheme is removed, until it is written again', async () => {
  const { id, subdomain } = await aProject(on, key, { allowed_schemes: ['mailto'] });
  const link = await aDynamicLink(on, key, id, { desktop_url: mail });
  const put = (path: string, body: object) => on.api('put', `/projects/${id}${path}`, key).send(body);
  await put('', { allowed_schemes: [] }).expect(200);
  await put(`/links/${link.id}`, { name: 'Other' }).expect(200);
  expect((await visit(subdomain, link.custom_path)).text).toContain(`href="${mail}"`);
  await put(`/links/${link.id}`, { desktop_url: mail }).expect(400);
});

test.each(['javascript:alert(1)', 'intent:#Intent;end'])('a stored destination %j is not served', async (stored) => {
  const project = await aProject(on, key, { allowed_schemes: ['mailto'] });
  const link = await aDynamicLink(on, key, project.id);
  await on.database.query('UPDATE dynamic_links SET desktop_url = $1 WHERE id = $2', [stored, link.id]);
  const { status, headers, text } = await visit(project.subdomain, link.custom_path);
  expect([status, headers['location']]).toEqual([200, undefined]);
  expect(text).not.toMatch(/alert|intent:/i);
});
