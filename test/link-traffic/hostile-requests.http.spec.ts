import { aDynamicLink, anAndroidApp, anIosApp, type ProjectBody } from '../support/builders';
import { type RawAnswer, sendBytes, sendRequest } from '../support/raw-http';
import { serviceFixture, accountFixture, projectFixture } from '../support/fixtures';
import { type UserAgentName, userAgents } from '../link-routing/user-agents';
import { fc, runs } from '../support/properties';
import { sample } from '../support/scale';
import { words } from '../support/words';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);
const other = projectFixture(on, account);
let appIds: { ios_app_id: string; android_app_id: string };

/** Destinations by project. No request may reach the foreign one. */
const own = 'https://own.example/';
const foreign = 'https://foreign.example/';

beforeAll(async () => {
  appIds = {
    ios_app_id: (await anIosApp(on, account.key, project.id, { appstore_id: '42' })).id,
    android_app_id: (await anAndroidApp(on, account.key, project.id)).id,
  };
  for (const path of ['both', 'a/b', 'A.b~c_d-e']) {
    await aDynamicLink(on, account.key, project.id, { custom_path: path, desktop_url: `${own}${path}` });
    await aDynamicLink(on, account.key, other.id, { custom_path: path, desktop_url: `${foreign}${path}` });
  }
  await aDynamicLink(on, account.key, other.id, { custom_path: 'only-there', desktop_url: foreign });
  // One link for each page and for the store.
  const shown = { desktop_url: undefined, ...appIds };
  await aDynamicLink(on, account.key, project.id, { custom_path: 'pages', social_title: 'A title', ...shown });
  await aDynamicLink(on, account.key, project.id, { custom_path: 'get', ios_deferred_deep_link: true, ...shown });
});

const hostOf = ({ subdomain }: ProjectBody) => `${subdomain}.localhost`;

/** Sends each character as the byte of its code. */
const send = (head: string): Promise<RawAnswer> => sendBytes(on.url, Buffer.from(head, 'latin1'));
const get = (target: string, headers = '', host = hostOf(project)) =>
  send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);

const headersWritten = new Set(
  words(`cache-control connection content-language content-length content-security-policy content-type date etag location
    referrer-policy vary x-content-type-options x-request-id x-robots-tag`),
);

/** Expects no failure, no injected header, and at most one destination, that of the own link. */
function expectHarmless(answer: RawAnswer): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.head).toMatch(/^HTTP\/1\.1 [0-9]{3} [\x20-\x7e]+(?:\r\n[A-Za-z-]+: [\x20-\x7e]*)+$/);
  const names = answer.head
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(':', 1)[0]!.toLowerCase());
  expect(names).toEqual([...new Set(names)]);
  expect(names.filter((name) => !headersWritten.has(name))).toEqual([]);
  expect('location' in answer.headers).toBe(answer.status === 302);
  if (answer.status === 302) {
    expect(answer.headers['location']).toMatch(/^[\x21-\x7e]+$/);
    expect(new URL(answer.headers['location']!).origin).toBe(new URL(own).origin);
  }
  expect(answer.text).not.toContain('foreign.example');
}

describe('paths', () => {
  test.each<[target: string, path: string]>([
    ['/%62oth', 'both'],
    ['/a%2Fb', 'a/b'],
    ['/%41%2Eb%7Ec%5Fd%2De', 'A.b~c_d-e'],
    ['/both/', 'both'],
    ['/both#?x=1', 'both'],
    ['/both%', 'both'],
    [`/both${'%20'.repeat(190)}`, 'both'],
  ])('%s names the link %s', async (target, path) => {
    const answer = await get(target);
    expectHarmless(answer);
    expect([answer.status, answer.headers['location']]).toEqual([302, own + path]);
  });

  test.each([
    '/',
    '//both',
    '/a/./b',
    '/a/x/../b',
    '/..%2fboth',
    '/\\both',
    '/both%00',
    '/both%0d%0aX-Evil:1',
    '/%2562oth',
    '/%ff',
    '/only-there',
    '/__proto__',
    '//evil.example/both',
    '/<script>alert(1)</script>',
    '/robots.txt',
    '/api/v1/projects',
    `/${'a/'.repeat(4000)}a`,
    `/both${'%20'.repeat(2500)}x`,
  ])('%j names no link', async (target) => {
    const answer = await get(target);
    expectHarmless(answer);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).not.toMatch(/evil|alert/);
  });

  test.each([
    ['of no HTTP at all', 'both'],
    ['with a space', '/both x'],
    ['with bytes outside ASCII', '/b\u00f6th'],
    ['longer than any', `/${'a'.repeat(20_000)}`],
  ])('a target %s is refused', async (_, target) => {
    const answer = await get(target);
    expectHarmless(answer);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  });

  test.each([
    ['asterisk-form', 'OPTIONS *', 405],
    ['absolute form, of the other project', 'GET http://OTHER/only-there', 404],
    ['absolute form with user info', 'GET http://OTHER@evil.example/both', 404],
  ])('a target in %s does not visit a link', async (_, startLine, status) => {
    const answer = await sendRequest(on.url, startLine.replace('OTHER', hostOf(other)), { Host: hostOf(project) });
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.text).not.toMatch(/evil|foreign/);
  });

  const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
  const pieces = fc.oneof(
    oneOf('both a b A.b~c_d-e only-there .well-known deferred-links claim evil.example'),
    oneOf('/ // \\ . .. %2e %2F %5c ? & = # ; : @ * + % %%'),
    oneOf('%00 %0d%0a %0aX-Evil:1 %ff %C3%A9 %c0%af %ED%A0%80 %E2%80%AE %25 %2562oth'),
    oneOf('_via=page deferred_link=x _via=ipad __proto__=1 [] {} < > " \' | ^'),
    fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
    fc
      .string({ unit: 'binary', maxLength: 4 })
      .filter((text) => text.isWellFormed())
      .map(encodeURIComponent),
  );

  const randomPieces = fc.array(pieces, { maxLength: 8 });
  /** Random pieces almost never form an existing path. */
  const found = fc
    .tuple(fc.constantFrom('both', 'a/b', 'A.b~c_d-e'), randomPieces)
    .map(([path, query]) => [path, '?', ...query]);

  test('arbitrary paths lead to the own link or to none', async () => {
    const names = Object.keys(userAgents) as UserAgentName[];
    let redirects = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(randomPieces, randomPieces, randomPieces, found),
        fc.constantFrom(...names),
        async (parts, name) => {
          const target = `/${parts.join('')}`;
          const answer = await get(target, `User-Agent: ${userAgents[name]}\r\n`);
          expectHarmless(answer);
          if (answer.status === 302) redirects++;
          if (answer.status === 302)
            expect(answer.headers['location']).toMatch(new RegExp(`^${own}(both|a/b|A\\.b~c_d-e)(\\?|$)`));
          else expect([200, 400, 404]).toContain(answer.status);
        },
      ),
      runs(600),
    );
    expect(redirects).toBeGreaterThan(0);
  });
});

describe('query parameters', () => {
  const visit = async (query: string, userAgent = '') => {
    const answer = await get(`/both?${query}`, userAgent && `User-Agent: ${userAgent}\r\n`);
    expectHarmless(answer);
    expect(answer.status).toBe(302);
    return answer.headers['location']!.slice(`${own}both`.length);
  };

  test.each([
    ['a fragment, which is cut off', 'x=1#&y=2', '?x=1'],
    ['encoded line breaks', 'x=%0d%0aSet-Cookie:%20a=1', '?x=%0d%0aSet-Cookie:%20a=1'],
    ['invalid UTF-8', 'x=%ff%c0%af&%ed%a0%80=1', '?x=%ff%c0%af&%ed%a0%80=1'],
  ])('of %s are merged', async (_, query, expected) => {
    expect(await visit(query)).toBe(expected);
  });

  test.each<[UserAgentName, string, at: number]>([
    ['pixel', '/pages', 0],
    ['iphone', '/pages', 1],
    ['desktop', '/pages', 2],
    ['slackbot', '/pages', 3],
    ['instagramOnIphone', '/pages', 4],
    ['instagramOnAndroid', '/pages', 5],
    ['iphone', '/get', 6],
    ['macintosh', '/get', 7],
  ])('do not harm %s on %s', async (name, path, at) => {
    const queries = [
      `x="><script>alert(1)</script>`,
      `x='onload=alert(1)`,
      'x=%22%3E%3Cscript%3E',
      'x=%&%zz=%#y',
      `x=${'%ff'.repeat(2700)}`,
      `x=${'%'.repeat(8000)}`,
      'S.browser_fallback_url=javascript:alert(1);end;#Intent;component=x;end',
      '__proto__=1&ct=__proto__&pt=%0d%0aX-Evil:%201',
    ];
    for (const query of sample(queries, at, 3)) {
      const answer = await get(`${path}?${query}`, `User-Agent: ${userAgents[name]}\r\n`);
      expect([200, 302]).toContain(answer.status);
      expect(answer.head).toMatch(/^[\x20-\x7e\r\n]+$/);
      expect(answer.head).not.toMatch(/^X-Evil/im);
      expect(answer.head.match(/^Location:/gim) ?? []).toHaveLength(answer.status === 302 ? 1 : 0);
      expect(answer.text).not.toMatch(/<script>alert|<[^>]*\sonload=/);
      for (const [, escaped] of answer.text.matchAll(/href="([^"]*)"/g)) {
        const address = escaped!.replaceAll('&#39;', "'");
        expect(address).toMatch(/^(?:https?|intent|x-safari-https?|instagram):[\x21-\x7e]+$/);
        // The part after `#Intent;` contains no visitor data.
        expect(address.split('#')).toHaveLength(address.startsWith('intent:') ? 2 : 1);
      }
    }
  });

  test('of any kind keep the destination', async () => {
    const signs = fc.oneof(
      fc.constantFrom(...'%&=?+;/#'),
      fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(signs, { maxLength: 60 }), async (chars) => {
        const location = new URL(`${own}both${await visit(chars.join(''))}`);
        expect([location.origin, location.pathname, location.hash]).toEqual([new URL(own).origin, '/both', '']);
      }),
      runs(200),
    );
  });
});

describe('Host', () => {
  // link-hosts.spec.ts has all spellings. `NAME` is the subdomain.
  test.each<[string, host: string, outcome: 'link' | 'no link' | 'no link host']>([
    ['in capitals, with a trailing dot and a port', 'NAME.LocalHost.:3000', 'link'],
    ['with another host as user info', 'evil.example@NAME.localhost', 'no link'],
    ['with a path', 'x/NAME.localhost', 'no link'],
    ['in Unicode', 'NAME\u00e9.localhost', 'no link'],
    ['very long', `${'a'.repeat(8000)}.NAME.localhost`, 'no link'],
    ['a prototype', '__proto__.localhost', 'no link'],
    ['of SQL', `'or'1'='1.localhost`, 'no link'],
    ['of a stranger', 'evil.example', 'no link host'],
    ['of nothing', '', 'no link host'],
  ])('%s', async (_, host, outcome) => {
    const answer = await get('/both', '', host.replace('NAME', project.subdomain));
    if (outcome === 'no link host') expect(answer).toBeRefusedWith('NOT_FOUND');
    else expectHarmless(answer);
    expect(answer.headers['location']).toBe(outcome === 'link' ? `${own}both` : undefined);
    if (outcome === 'no link')
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('never appears in an answer, and neither do forwarding headers', async () => {
    /** Removes the headers that differ between answers. */
    const comparable = ({ status, headers, text }: RawAnswer) => {
      const { date: _, 'x-request-id': __, 'content-length': ___, ...rest } = headers;
      return JSON.stringify({ status, rest, text }).replace(/deferred_link(=|%3D|%253D)[A-Za-z0-9_-]{22}/g, '');
    };
    const pages: [UserAgentName, string][] = [
      ['slackbot', '/pages?x=1'],
      ['desktop', '/pages?x=1'],
      ['pixel', '/pages?x=1'],
      ['iphone', '/get?x=1'],
      ['macintosh', '/get?x=1'],
      ['instagramOnIphone', '/get?x=1'],
      ['instagramOnAndroid', '/pages?x=1'],
      ['desktop', '/both'],
      ['desktop', '/missing'],
      ['desktop', '/.well-known/assetlinks.json'],
    ];
    const evil = 'evil.example';
    const spoofed: [string, string][] = [
      [`${hostOf(project).toUpperCase()}:666`, ''],
      [`${hostOf(project)}.:666`, ''],
      ...[
        ['X-Forwarded-Host', evil],
        ['X-Forwarded-Host', hostOf(other)],
        ['X-Forwarded-Server', evil],
        ['X-Forwarded-Proto', 'javascript'],
        ['X-Forwarded-Port', '666'],
        ['X-Forwarded-Prefix', '/evil'],
        ['X-Forwarded-For', `6.6.6.6, ${evil}`],
        ['X-Forwarded-For', '\u00e9"'],
        ['Forwarded', `for=6.6.6.6;host=${evil};proto=https`],
        ['X-Original-URL', '/evil'],
        ['X-Rewrite-URL', '/evil'],
        ['X-HTTP-Method-Override', 'DELETE'],
        ['X-Host', evil],
        ['Origin', `https://${evil}`],
        ['Referer', `https://${evil}/`],
        ['Via', evil],
        ['X-Request-Id', `${evil}\u00e9`],
        ['Cookie', '__proto__=evil'],
      ].map(([name, value]): [string, string] => [hostOf(project), `${name}: ${value}\r\n`]),
    ];
    for (const [at, [name, target]] of pages.entries()) {
      const userAgent = `User-Agent: ${userAgents[name]}\r\n`;
      const plain = comparable(await get(target, userAgent));
      expect(plain).not.toMatch(/evil|:666/i);
      for (const [host, headers] of sample(spoofed, at, 3)) {
        const answer = await get(target, userAgent + headers, host);
        expect(comparable(answer)).toBe(plain);
        expect(answer.headers['x-request-id']).not.toContain('evil');
      }
    }
  });
});

/** Stores a value that the API refuses. */
const store = (id: string, column: string, value: unknown) =>
  on.database.query(`UPDATE dynamic_links SET ${column} = $1 WHERE id = $2`, [value, id]);

describe('invalid stored URLs', () => {
  test.each(['javascript:alert(1)', '//evil.example/', 'https://evil.example/\r\nX-Evil: 1'])(
    '%j is never served',
    async (url) => {
      const good = { desktop_url: own, social_title: 'A title', social_image_url: 'https://pictures.example/x.png' };
      const link = await aDynamicLink(on, account.key, project.id, { ...good, ...appIds });
      const visit = async (name: UserAgentName) => {
        const answer = await get(`/${link.custom_path}`, `User-Agent: ${userAgents[name]}\r\n`);
        expect(answer.head + answer.text).not.toMatch(/evil|alert/i);
        return answer;
      };
      const columns = ['ios_fallback_url', 'android_fallback_url', 'social_image_url'];
      for (const column of columns) await store(link.id, column, url);

      expect((await visit('iphone')).headers['location']).toBe('https://apps.apple.com/app/id42');
      expect((await visit('pixel')).headers['location']).toMatch(
        /^https:\/\/play\.google\.com\/store\/apps\/details\?id=/,
      );
      const preview = await visit('slackbot');
      expect(preview.text).toContain('content="A title"');
      expect(preview.text).not.toMatch(/og:image|twitter:image|<img/);
      expect(preview.headers['content-security-policy']).not.toContain('img-src');
      for (const name of ['instagramOnIphone', 'instagramOnAndroid'] as const)
        expect((await visit(name)).text).toContain('Open in app');

      const bare = await aDynamicLink(on, account.key, project.id, { social_description: undefined });
      for (const column of [...columns, 'desktop_url']) await store(bare.id, column, url);
      for (const name of ['iphone', 'pixel', 'desktop', 'slackbot'] as const) {
        const answer = await get(`/${bare.custom_path}`, `User-Agent: ${userAgents[name]}\r\n`);
        expectHarmless(answer);
        // The landing page, because an invalid picture also disables the preview.
        expect([answer.status, answer.text.includes('property="og:')]).toEqual([200, false]);
        expect(answer.text).not.toMatch(/<img|evil|alert/i);
      }
    },
  );

  test('characters outside ASCII are encoded for the header', async () => {
    const link = await aDynamicLink(on, account.key, project.id);
    await store(link.id, 'desktop_url', 'https://bücher.example/é x');
    const { headers } = await get(`/${link.custom_path}`);
    expect(headers['location']).toBe('https://xn--bcher-kva.example/%C3%A9%20x');
  });
});

test.each([null, { length: 1, 0: ['a', 'b'] }])('the stored parameters %j do no harm', async (params) => {
  const link = await aDynamicLink(on, account.key, project.id, { desktop_url: `${own}p?own=1`, ...appIds });
  await store(link.id, 'referrer_params', params === null ? null : JSON.stringify(params));
  const answer = await get(`/${link.custom_path}?x=1`);
  expectHarmless(answer);
  expect(answer.headers['location']).toBe(`${own}p?own=1&x=1`);
  for (const name of ['iphone', 'pixel', 'instagramOnAndroid'] as const)
    expect((await get(`/${link.custom_path}`, `User-Agent: ${userAgents[name]}\r\n`)).status).toBeLessThan(400);
});

test('none of these visits logs a failure', () => {
  const failed = on.logLines.filter((line) => line.includes('visit failed'));
  expect(failed).toEqual([]);
});
