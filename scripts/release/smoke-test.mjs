import assert from 'node:assert/strict';
import { request } from 'node:http';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');

/** Calls the operations of a release, with a project that has one resource of each kind. */
export class SmokeTest {
  #key;
  #subdomain;
  #project;
  #linkId;
  #shortLinkId;
  /** Bodies of GET by path, as the creating release answered them. */
  #bodies = {};

  /** Creates the resources on the release that listens on the port. */
  static async create(port, key, subdomain) {
    const test = new SmokeTest();
    test.#key = key;
    test.#subdomain = subdomain;
    await test.#create(port);
    return test;
  }

  /** Creates, reads, visits, updates, lists and deletes resources on one release. */
  static async run(port, key, subdomain) {
    const test = await SmokeTest.create(port, key, subdomain);
    await test.isServedBy(port);
    const link = `${test.#project}/links/${test.#linkId}`;
    await test.#expect(200, port, 'PUT', link, { name: 'Changed', desktop_url: 'https://example.com/changed' });
    const { data } = await test.#expect(200, port, 'GET', `${test.#project}/links?search=CHANGED`);
    assert.deepEqual(
      data.map(({ id }) => id),
      [test.#linkId],
    );
    await test.#expect(200, port, 'DELETE', `${test.#project}/short-links/${test.#shortLinkId}`);
    await test.#expect(200, port, 'DELETE', link);
    await test.#expect(404, port, 'GET', link);
    await test.#expect(200, port, 'DELETE', test.#project);
  }

  /** Asserts that a release answers the same fields as the one that created the resources, and redirects visitors. */
  async isServedBy(port) {
    for (const [path, expected] of Object.entries(this.#bodies))
      assertIncludes(await this.#expect(200, port, 'GET', path), expected, path);
    for (const path of ['/sale', '/s4le']) {
      const { status, headers } = await ask(port, 'GET', path, { Host: `${this.#subdomain}.localhost` });
      assert.deepEqual([status, headers.location], [302, 'https://example.com/sale?utm_source=mail']);
    }
  }

  async #create(port) {
    const create = async (path, body) => (await this.#expect(201, port, 'POST', path, body)).data.id;
    this.#project = `/projects/${await create('/projects', { name: 'Smoke test', subdomain: this.#subdomain })}`;
    const iosApp = { name: 'Shop', bundle_id: 'com.example.shop', team_id: 'ABCDE12345', appstore_id: '1234567890' };
    const androidApp = { name: 'Shop', package_name: 'com.example.shop', sha_fingerprints: [fingerprint] };
    const iosAppId = await create(`${this.#project}/ios-apps`, iosApp);
    const androidAppId = await create(`${this.#project}/android-apps`, androidApp);
    this.#linkId = await create(`${this.#project}/links`, {
      name: 'Sale',
      custom_path: 'sale',
      desktop_url: 'https://example.com/sale',
      ios_app_id: iosAppId,
      android_app_id: androidAppId,
      social_title: 'Sale',
      referrer_params: { utm_source: 'mail' },
    });
    const shortLink = { dynamic_link_id: this.#linkId, slug: 's4le' };
    this.#shortLinkId = await create(`${this.#project}/short-links`, shortLink);
    for (const path of [
      '',
      `/links/${this.#linkId}`,
      `/short-links/${this.#shortLinkId}`,
      `/ios-apps/${iosAppId}`,
      `/android-apps/${androidAppId}`,
      '/links',
    ])
      this.#bodies[this.#project + path] = await this.#expect(200, port, 'GET', this.#project + path);
  }

  async #expect(expected, port, method, path, body) {
    const headers = { Authorization: `Bearer ${this.#key}`, ...(body && { 'Content-Type': 'application/json' }) };
    const { status, text } = await ask(port, method, `/api/v1${path}`, headers, body && JSON.stringify(body));
    assert.equal(status, expected, `${method} ${path} answers ${status}, not ${expected}: ${text}`);
    return JSON.parse(text);
  }
}

/** Asserts that every field of `expected` has the same value. A later release may add fields. */
function assertIncludes(actual, expected, path) {
  if (typeof expected !== 'object' || expected === null) return assert.equal(actual, expected, path);
  for (const [name, value] of Object.entries(expected)) assertIncludes(actual?.[name], value, `${path}.${name}`);
}

/** Sends a request. `fetch` cannot set the Host header. */
function ask(port, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject).end(body);
  });
}
