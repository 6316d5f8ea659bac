/** @needs chromium */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { unique } from '../support/builders';
import { aService, type TestAccount, type TestService } from '../support/service';
import { openBrowser } from './open-browser';

/** Serves an empty page on every host, as dashboards do. */
let pages: Server;
let port: number;
let on: TestService;
let account: TestAccount;
let browser: Browser;
beforeAll(async () => {
  pages = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>Dashboard</title>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  ({ port } = pages.address() as AddressInfo);
  on = await aService({ ALLOWED_ORIGINS: originOf('allowed') });
  account = await on.anAccount('enterprise');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await on?.stop();
  await new Promise((resolve) => pages.close(resolve));
});

const originOf = (name: string): string => `http://${name}.localhost:${port}`;

interface Seen {
  error?: string;
  status?: number;
  headers?: Record<string, string>;
  body?: { data?: { id: string; name: string } };
}

/** Sends a request with `fetch` from a page of the origin. */
async function fetchFrom(origin: string, method: string, path: string, init: object = {}): Promise<Seen> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  const options = { ...init, method };
  const seen = await page.evaluate(
    async ([url, given]): Promise<Seen> => {
      try {
        const response = await fetch(url, given);
        const text = await response.text();
        const body = text === '' ? {} : (JSON.parse(text) as NonNullable<Seen['body']>);
        return { status: response.status, headers: Object.fromEntries(response.headers), body };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [`${on.url}/api/v1${path}`, options] as const,
  );
  await context.close();
  return seen;
}

const withKey = (more: Record<string, string> = {}) => ({ Authorization: `Bearer ${account.key}`, ...more });
const json = { 'Content-Type': 'application/json' };
const countProjects = async (): Promise<number> =>
  ((await on.api('get', '/projects', account.key).expect(200)).body as { pagination: { total: number } }).pagination
    .total;

test('a page of an allowed origin creates, updates and deletes, and reads the exposed headers', async () => {
  const origin = originOf('allowed');
  const body = JSON.stringify({ name: 'From a page', subdomain: unique('page') });
  const headers = withKey({ ...json, 'Idempotency-Key': 'page-1' });
  const created = await fetchFrom(origin, 'POST', '/projects', { headers, body });
  expect(created).toMatchObject({ status: 201, body: { data: { name: 'From a page' } } });
  expect(Object.keys(created.headers!)).toEqual(
    expect.arrayContaining([
      'location',
      'x-request-id',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]),
  );
  const path = `/projects/${created.body!.data!.id}`;
  const read = await fetchFrom(origin, 'GET', path, { headers: withKey() });
  const update = { headers: withKey({ ...json, 'If-Match': read.headers!['etag']! }), body: '{"name":"Renamed"}' };
  const updated = await fetchFrom(origin, 'PUT', path, update);
  expect(updated).toMatchObject({ status: 200, body: { data: { name: 'Renamed' } } });
  expect(updated.headers!['etag']).not.toBe(read.headers!['etag']);
  expect(await fetchFrom(origin, 'PUT', path, update)).toMatchObject({ status: 412 });
  expect(await fetchFrom(origin, 'DELETE', path, { headers: withKey() })).toMatchObject({ status: 200 });
  expect(await fetchFrom(origin, 'GET', path, { headers: withKey() })).toMatchObject({ status: 404 });
  expect(await fetchFrom(origin, 'GET', '/projects')).toMatchObject({ status: 401 });
});

test('a page of another origin reads nothing and changes nothing', async () => {
  const before = await countProjects();
  for (const name of ['other', 'allowed.evil']) {
    const origin = originOf(name);
    const body = JSON.stringify({ name: 'Never', subdomain: unique('never') });
    const failed = { error: 'TypeError: Failed to fetch' };
    expect(await fetchFrom(origin, 'POST', '/projects', { headers: withKey(json), body })).toEqual(failed);
    expect(await fetchFrom(origin, 'GET', '/projects', { headers: withKey() })).toEqual(failed);
    // No preflight precedes this one, but the browser keeps the response from the page.
    expect(await fetchFrom(origin, 'GET', '/openapi.json')).toEqual(failed);
  }
  expect(await countProjects()).toBe(before);
});

test('credentials mode is refused for an allowed origin too', async () => {
  const sent = { headers: withKey(), credentials: 'include' };
  expect(await fetchFrom(originOf('allowed'), 'GET', '/projects', sent)).toEqual({
    error: 'TypeError: Failed to fetch',
  });
});
