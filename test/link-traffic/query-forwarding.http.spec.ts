import { userAgents } from '../link-routing/user-agents';
import type { Explanation } from '../diagnostics/explain/read-answer';
import { aDynamicLink, anAndroidApp, aProject, aShortLink } from '../support/builders';
import { eventually } from '../support/eventually';
import { sendRequest } from '../support/raw-http';
import { aService, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

const signed = 'https://example.com/a?signature=1';

test('link and project say which parameters of visitors destinations get', async () => {
  const { key } = await on.anAccount('enterprise');
  const project = await aProject(on, key, { query_forwarding: 'listed', forwarded_params: ['gclid'] });
  const app = await anAndroidApp(on, key, project.id);
  const link = await aDynamicLink(on, key, project.id, { desktop_url: signed, referrer_params: { ref: 'x' } });
  const store = await aDynamicLink(on, key, project.id, { android_app_id: app.id });
  const { slug } = await aShortLink(on, key, project.id, link.id);
  const locationOf = async (path: string, agent = '') => {
    const headers = { Host: `${project.subdomain}.localhost`, 'User-Agent': agent };
    return (await sendRequest(on.url, `GET /${path}?fbclid=1&gclid=2&_via=open`, headers)).headers['location'];
  };
  const put = (path: string, body: object) =>
    on.api('put', `/projects/${project.id}${path}`, key).send(body).expect(200);

  for (const path of [link.custom_path, slug]) expect(await locationOf(path)).toBe(`${signed}&ref=x&gclid=2`);
  const referrer = new URL((await locationOf(store.custom_path, userAgents.pixel))!).searchParams.get('referrer');
  expect(referrer).toMatch(/^gclid=2&deferred_link=[\w-]+$/);

  await put(`/links/${link.id}`, { query_forwarding: 'all' });
  await eventually(async () => (await locationOf(slug)) === `${signed}&ref=x&fbclid=1&gclid=2`);
  await put(`/links/${link.id}`, { query_forwarding: 'none' });
  await eventually(async () => (await locationOf(slug)) === `${signed}&ref=x`);
  await put(`/links/${link.id}`, { query_forwarding: null });
  await eventually(async () => (await locationOf(slug)) === `${signed}&ref=x&gclid=2`);
  await put('', { query_forwarding: 'none' });
  await eventually(async () => (await locationOf(slug)) === `${signed}&ref=x`);

  const asked = `/projects/${project.id}/links/${link.id}/explain?platform=desktop&query=fbclid%3D1`;
  const { data } = (await on.api('get', asked, key).expect(200)).body as { data: Explanation };
  expect(data.answer.location).toBe(`${signed}&ref=x`);
  expect(data.steps).toContainEqual(expect.objectContaining({ rule: 'query_forwarding', finding: 'none' }));
});
