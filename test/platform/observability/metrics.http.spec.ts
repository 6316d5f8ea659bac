import supertest from 'supertest';
import { ClickRecorder } from '../../../src/clicks/recording/click-recorder';
import { BackgroundWriter } from '../../../src/link-traffic/recording/background-writer';
import { newId } from '../../../src/shared/id';
import { userAgents } from '../../link-routing/user-agents';
import { aDynamicLink, aProject } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { words } from '../../support/words';
import { fixture, serviceFixture } from '../../support/fixtures';
const on = serviceFixture({ METRICS_PORT: '0' });
const account = fixture(() => on.anAccount());
const project = fixture(() => aProject(on, account.key));
beforeAll(async () => {
  await aDynamicLink(on, account.key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
});

/** Scrapes values by name and labels. */
async function scrape(): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${on.service.metricsPort}/metrics`);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Returns the increase of each value while `work` ran. */
async function growth(work: () => Promise<unknown>): Promise<(name: string) => number> {
  const before = await scrape();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const after = await scrape();
  return (name) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
}

test('requests of the management API are counted by route template, method and status', async () => {
  const grew = await growth(async () => {
    await on.api('get', `/projects/${project.id}`, account.key).expect(200);
    await on.api('get', `/projects/${project.id}`, account.key).expect(200);
    await on.api('get', '/projects').expect(401);
    await on.api('get', '/nothing-of-the-kind', account.key).expect(404);
  });
  const requests = (method: string, route: string, status: number) =>
    grew(`signpost_http_requests_total{listener="api",method="${method}",route="${route}",status="${status}"}`);
  expect(requests('GET', '/api/v1/projects/:projectId', 200)).toBe(2);
  expect(requests('GET', '/api/v1/projects', 401)).toBe(1);
  expect(requests('GET', 'unknown', 404)).toBe(1);
  expect(grew('signpost_http_request_duration_seconds_count{listener="api"}')).toBe(4);
});

test('answers to visitors and cache results are counted', async () => {
  const grew = await growth(async () => {
    for (let times = 0; times < 3; times++) await on.visit(project.subdomain, '/sale').expect(302);
    await on.visit(project.subdomain, '/missing').expect(404);
    await on
      .visit(project.subdomain, '/sale', { 'Sec-Purpose': 'prefetch', 'User-Agent': userAgents.pixel })
      .expect(503);
    await on.visit(project.subdomain, '/.well-known/assetlinks.json').expect(200);
  });
  expect(grew('signpost_link_answers_total{answer="redirect"}')).toBe(3);
  expect(grew('signpost_link_answers_total{answer="not-found"}')).toBe(1);
  expect(grew('signpost_link_answers_total{answer="association-file"}')).toBe(1);
  expect(grew('signpost_link_answers_total{answer="prefetch"}')).toBe(1);
  // An alert counts these.
  expect(grew('signpost_http_requests_total{listener="traffic",method="GET",route="/{path}",status="503"}')).toBe(0);
  expect(grew('signpost_link_cache_requests_total{cache="links",result="hit"}')).toBe(3);
  expect(grew('signpost_http_requests_total{listener="traffic",method="GET",route="/{path}",status="302"}')).toBe(3);
});

test('opens of apps are counted', async () => {
  const open = () =>
    supertest(on.url)
      .post('/links/open')
      .set('Host', `${project.subdomain}.localhost`)
      .send({
        url: `https://${project.subdomain}.localhost/sale`,
        app: { package_name: 'com.example.shop', version: '1.0' },
        open_id: newId(),
      });
  const grew = await growth(async () => {
    await open().expect(200);
    await open().expect(200);
    const full = jest.spyOn(BackgroundWriter.prototype, 'isFull', 'get').mockReturnValue(true);
    await open().expect(503);
    full.mockRestore();
  });
  const counts = ['received_total', 'recorded_total', 'waiting', 'dropped_total'];
  expect(counts.map((name) => grew(`signpost_opens_${name}`))).toEqual([3, 2, 0, 1]);
});

test('click ids are counted', async () => {
  const fields = { custom_path: 'counted', desktop_url: 'https://shop.example.com/', conversions: true };
  await aDynamicLink(on, account.key, project.id, fields);
  const grew = await growth(async () => {
    await on.visit(project.subdomain, '/counted').expect(302);
    const full = jest.spyOn(BackgroundWriter.prototype, 'isFull', 'get').mockReturnValue(true);
    await on.visit(project.subdomain, '/counted').expect('Location', 'https://shop.example.com/');
    full.mockRestore();
    await eventually(async () => (await scrape()).get('signpost_click_ids_waiting') === 0);
  });
  const counts = ['issued_total', 'waiting', 'dropped_total'];
  expect(counts.map((name) => grew(`signpost_click_ids_${name}`))).toEqual([1, 0, 1]);
});

test('clicks are counted', async () => {
  const counts = { recorded: 7, waiting: 8, dropped: 9 };
  const ofRecorder = jest.spyOn(ClickRecorder.prototype, 'counts', 'get').mockReturnValue(counts);
  const shown = await scrape();
  ofRecorder.mockRestore();
  const names = ['recorded_total', 'waiting', 'dropped_total'];
  expect(names.map((name) => shown.get(`signpost_clicks_${name}`))).toEqual([7, 8, 9]);
});

test('gauges show the state of the process', async () => {
  const now = await scrape();
  expect(now.get('signpost_change_listener_up')).toBe(1);
  // The alert would fire in every installation without Redis.
  expect(now.has('signpost_rate_limit_store_up')).toBe(false);
  for (const name of [
    'database_pool_waiting{pool="management API"}',
    ...words('deferred_links_waiting http_waiting_requests api_paced_requests exports_running http_unread_bytes'),
    ...['stalled', 'unread-bytes', 'waiting-requests'].map((why) => `http_connections_reset_total{reason="${why}"}`),
  ])
    expect([name, now.get(`signpost_${name}`)]).toEqual([name, 0]);
  expect([...now.keys()].some((name) => name.startsWith('signpost_build_info{version="'))).toBe(true);
  expect(now.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
});

test('the number of labels is bounded', async () => {
  const before = (await scrape()).size;
  for (let time = 0; time < 30; time++) {
    await on.visit(project.subdomain, `/path-${time}`);
    await on.visit(`host-${time}`, '/x');
    await on.api('get', `/route-${time}`, account.key);
  }
  // A label per request would add hundreds; one more status of a route adds eighteen.
  expect((await scrape()).size - before).toBeLessThan(60);
});

test('the port serves only metrics, and no other port serves them', async () => {
  expect((await fetch(`http://127.0.0.1:${on.service.metricsPort}/api/v1/projects`)).status).toBe(404);
  expect((await fetch(`${on.url}/metrics`)).status).toBe(404);
});
