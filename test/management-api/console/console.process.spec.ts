import { withService } from '../../support/service';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture();

const get = (path: string, headers: Record<string, string> = {}, service = on): Promise<Response> =>
  fetch(service.url + path, { headers, redirect: 'manual' });

async function expectUnknown(response: Response): Promise<void> {
  const body = { error: { code: 'NOT_FOUND', message: 'Route not found' } };
  expect([response.status, await response.json()]).toEqual([404, body]);
}

async function files(): Promise<string[]> {
  const page = await (await get('/console/')).text();
  return [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
}

test.each(['/console', '/console/', '/console/projects/x/links?search=a', '/console/silent-renew.html'])(
  '%s answers a page that is not stored, with a new nonce each time',
  async (path) => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await get(path);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(response.headers.get('cache-control')).toBe('no-store');
        const [, nonce] = /style-src 'self' 'nonce-([^']+)'/.exec(response.headers.get('content-security-policy')!)!;
        const page = await response.text();
        expect(page).not.toMatch(/<script>|<style|\son[a-z]+=/);
        if (!path.endsWith('.html')) expect(page).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  },
);

test('the files of the page are cached for a year and compressed', async () => {
  const paths = await files();
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the files do not count for the rate limit', () =>
  withService({ RATE_LIMIT_PER_MINUTE: '1' }, on.database, async (limited) => {
    for (let sent = 0; sent < 5; sent++) {
      const response = await get('/console/', {}, limited);
      expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
  }));

test.each(['/console/assets/none.js', '/console/assets/..%2f..%2fpackage.json', '/consoles', '/console.html'])(
  '%s is unknown',
  async (path) => expectUnknown(await get(path)),
);

test('/ redirects browsers to the console, and answers programs with 404', async () => {
  const browser = await get('/', { Accept: 'text/html,application/xhtml+xml' });
  expect([browser.status, browser.headers.get('location'), browser.headers.get('vary')]).toEqual([
    302,
    '/console/',
    'Accept',
  ]);
  expect((await get('/', { Accept: '*/*' })).status).toBe(404);
});

test('CONSOLE=false leaves the console out', () =>
  withService({ CONSOLE: 'false' }, on.database, async (without) => {
    for (const path of ['/console/', '/console/projects', ...(await files()), '/'])
      await expectUnknown(await get(path, { Accept: 'text/html' }, without));
  }));

test('link hosts have no console', async () => {
  expect((await on.visit('nobody', '/console/')).status).toBe(404);
});

test('the licences of the packages in the console have the text of each', async () => {
  const response = await get('/console/third-party-licences.txt');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const sections = (await response.text()).split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(30);
  const lacking = sections.filter((section) => !/copyright|permission/i.test(section)).map((one) => one.trim());
  // This package has no file with its licence.
  expect(lacking).toEqual([expect.stringMatching(/^react-remove-scroll-bar - .* \(MIT\)$/)]);
});
