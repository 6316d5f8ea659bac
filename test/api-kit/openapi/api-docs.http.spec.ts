import { unique } from '../../support/builders';
import { withService } from '../../support/service';
import { sendRequest } from '../../support/raw-http';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture({ API_BASE_URL: 'https://api.example.com' });

const plain = { 'Accept-Encoding': 'identity' };

async function files(): Promise<string[]> {
  const page = await (await fetch(`${on.url}/api/docs`)).text();
  return [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
}

test('the page loads Swagger UI and contains no inline script', async () => {
  const response = await fetch(`${on.url}/api/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const page = await response.text();
  expect(page).toContain('id="swagger-ui"');
  expect(page).not.toMatch(/<script>|<style|\son[a-z]+=/);
  expect((await fetch(`${on.url}/api/docs/`)).status).toBe(200);
});

test('the page forbids frames, and scripts other than its files', async () => {
  const { headers } = await fetch(`${on.url}/api/docs`);
  expect(headers.get('x-frame-options')).toBe('DENY');
  const directives = headers.get('content-security-policy')!.split('; ');
  for (const own of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
    expect(directives).toContain(own);
  expect(directives).toContain("connect-src 'self' https://api.example.com");
});

test('its files are cached for a year, and are small', async () => {
  const paths = await files();
  expect(paths).toHaveLength(3);
  for (const path of paths) {
    const response = await fetch(on.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(Number(response.headers.get('content-length'))).toBeLessThan(600_000);
  }
});

test.each(['/api/v1/openapi.json', '/api/docs'])('%s is revalidated by its tag', async (path) => {
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'Accept-Encoding': encoding };
    const first = await fetch(on.url + path, { headers });
    const tag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('vary')).toBe('Accept-Encoding');
    const again = await fetch(on.url + path, { headers: { ...headers, 'If-None-Match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    const changed = await fetch(on.url + path, { headers: { ...headers, 'If-None-Match': '"another"' } });
    expect(changed.status).toBe(200);
  }
});

test('the description is minified, and compressed if the client takes gzip', async () => {
  const url = `${on.url}/api/v1/openapi.json`;
  const json = await (await fetch(url, { headers: plain })).text();
  expect(json).toBe(JSON.stringify(JSON.parse(json)));
  const compressed = await sendRequest(on.url, 'GET /api/v1/openapi.json', { 'Accept-Encoding': 'gzip' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip' });
  expect(Number(compressed.headers['content-length'])).toBeLessThan(json.length / 4);
  const bytes = Buffer.from(await (await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })).arrayBuffer());
  expect(bytes.toString()).toBe(json);
});

test.each(['/api/docs/nothing.js', '/api/docs/..%2f..%2fpackage.json', '/api/docs/swagger-ui-bundle.js'])(
  '%s is unknown',
  async (path) => {
    expect((await fetch(on.url + path)).status).toBe(404);
  },
);

test('API_DOCS=false leaves the page out, but not the description', () =>
  withService({ API_DOCS: 'false' }, on.database, async (without) => {
    for (const path of ['/api/docs', ...(await files())])
      expect(await sendRequest(without.url, `GET ${path}`)).toBeRefusedWith('NOT_FOUND');
    expect((await fetch(`${without.url}/api/v1/openapi.json`)).status).toBe(200);
  }));

test('the Location header has API_BASE_URL, not the host of the request', async () => {
  const { key } = await on.anAccount();
  const response = await on
    .api('post', '/projects', key)
    .set({ 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' })
    .send({ name: 'x', subdomain: unique('origin') })
    .expect(201);
  expect(response.headers['location']).toBe(`https://api.example.com/api/v1/projects/${response.body.data.id}`);
});
