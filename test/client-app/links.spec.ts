import { createSignpost, type Signpost, type SignpostLink } from '../../clients/app/src/index';
import { parseReferrer, parseUrl } from '../../clients/app/src/link';
import { signpostLinking } from '../../clients/app/src/react-navigation';
import { followDeferredLinks, redirectSystemPath } from '../../clients/app/src/expo-router';
import { ServiceModel, tokens } from './service-model';

const hosts = ['go.example.com', 'go-open.example.com'];
const { T } = tokens;

describe('parsing', () => {
  test.each([
    ['https://go.example.com', '/', {}],
    ['https://GO.example.com/Summer', '/Summer', {}],
    ['https://go.example.com/a/b/?x=1', '/a/b/', { x: '1' }],
    ['https://go-open.example.com/a?_via=open&x=1#part', '/a', { x: '1' }],
    [`https://go.example.com/a?deferred_link=${T}&x=1`, '/a', { x: '1' }],
    ['https://go.example.com/a?x=1&x=2&y', '/a', { x: ['1', '2'], y: '' }],
    ['https://go.example.com/a?q=a+b%26c&%=%ZZ', '/a', { q: 'a b&c', '%': '%ZZ' }],
    ['https://go.example.com/?link=https%3A%2F%2Fshop.example.com%2F', '/', { link: 'https://shop.example.com/' }],
    ['  https://go.example.com/a \n', '/a', {}],
    ['https://go.example.com?x=1', '/', { x: '1' }],
  ])('%s', (url, path, params) => {
    expect(parseUrl(url, hosts)).toMatchObject({ path, params });
  });

  test('a parameter named __proto__ changes no prototype', () => {
    const { params } = parseUrl('https://go.example.com/?__proto__=1', hosts)!;
    expect(Object.entries(params)).toEqual([['__proto__', '1']]);
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  });

  test.each([
    'http://go.example.com/a',
    'acme://go.example.com/a',
    'https://other.example.com/a',
    'https://go.example.com.evil.example/a',
    'https://go.example.com@evil.example/a',
    'https://evil.example\\@go.example.com/a',
    'https://go.example.com:8443/a',
    'https://evil.example/?https://go.example.com/a',
    'see https://go.example.com/a',
    'https://go.example.com/a b',
    '',
    `https://go.example.com/${'a'.repeat(9000)}`,
  ])('%s is refused', (url) => {
    expect(parseUrl(url, hosts)).toBeNull();
  });

  test.each([
    [`deferred_link=${T}`, T],
    [encodeURIComponent(encodeURIComponent(`a=b&deferred_link=${T}`)), T],
    [`a=b&deferred_link=${T}&deferred_link=other`, T],
    [`xdeferred_link=${T}`, null],
    [`deferred_link=${T}0`, null],
    [`a=deferred_link%3D${T}`, null],
  ])('the referrer %s has the token %s', (referrer, token) => {
    expect(parseReferrer(referrer).token).toBe(token);
  });
});

describe('links', () => {
  let service: ServiceModel;
  let stored: Map<string, string>;
  let initialUrl: string | null;
  let emit: (url: string) => void;
  let received: SignpostLink[];
  let nowMs: number;
  let apps: Signpost[];
  beforeEach(() => {
    [service, stored, initialUrl] = [new ServiceModel(), new Map(), null];
    [received, nowMs, apps] = [[], 1_800_000_000_000, []];
  });
  afterEach(() => apps.forEach((app) => app.stop()));

  const links = {
    getInitialURL: () => Promise.resolve(initialUrl),
    subscribe: (listener: (url: string) => void) => {
      const before = apps.length > 0 ? emit : () => {};
      emit = (url) => [before, listener].forEach((one) => one(url));
      return () => {};
    },
  };
  function launch(storage?: object, more: object = {}): Signpost {
    emit = () => {};
    const app = createSignpost({
      hosts,
      app: { packageName: 'com.example.app', version: '1.0.0', build: '7' },
      storage: { getItem: (key) => stored.get(key), setItem: (key, text) => stored.set(key, text), ...storage },
      links,
      fetch: (url, init) => service.fetch(url, init),
      now: () => nowMs,
      timeoutMs: 5,
      ...more,
    });
    apps.push(app);
    return app;
  }
  const listen = (app: Signpost) => app.onLink((link) => received.push(link));
  const settled = () => new Promise((resolve) => setTimeout(resolve, 10));
  const bodies = () => service.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  test('a short link becomes the route of its dynamic link, with data and parameters', async () => {
    initialUrl = 'https://go.example.com/s4le?x=1&_via=qr';
    const link = await launch().getInitialLink();
    expect(link).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      type: 'direct',
      late: false,
      answer: 'resolved',
      url: initialUrl,
      path: '/sale',
      params: { x: '1' },
      route: '/sale?x=1',
      fullUrl: 'https://go.example.com/sale',
      externalId: null,
      destination: 'https://shop.example.com/sale?x=1',
      referrerParams: null,
      appData: { path: 'sale' },
      variant: null,
      clickId: null,
      clickedAt: null,
    });
    expect(service.requests.map(({ url }) => url)).toEqual(['https://go.example.com/links/open']);
    const app = { package_name: 'com.example.app', version: '1.0.0', build: '7' };
    expect(bodies()).toEqual([{ url: initialUrl, app, open_id: link!.id }]);
  });

  test.each(['offline', '404', '429', '500', '503', 'portal', 'json', 'stalled'] as const)(
    '%s: the link is parsed',
    async (network) => {
      service.network = network;
      initialUrl = 'https://go.example.com/s4le?x=1';
      const answer = network === '404' ? 'unknown' : 'unanswered';
      expect(await launch().getInitialLink()).toMatchObject({ answer, route: '/s4le?x=1', appData: null });
    },
  );

  test('a late answer is an update of the same link, and no other link', async () => {
    service.network = 'slow';
    const app = launch();
    listen(app);
    emit('https://go.example.com/s4le');
    await settled();
    service.arrive();
    await settled();
    expect(received).toMatchObject([
      { late: false, answer: 'unanswered', route: '/s4le' },
      { late: true, answer: 'resolved', route: '/sale' },
    ]);
    expect(received[0]!.id).toBe(received[1]!.id);
  });

  test('the initial link goes to its caller or to the callback, never to both', async () => {
    initialUrl = 'https://go.example.com/summer';
    const app = launch();
    const both = await Promise.all([app.getInitialLink(), app.getInitialLink()]);
    listen(app);
    await settled();
    expect(both[0]).toBe(both[1]);
    expect(received).toEqual([]);
    const other = launch();
    listen(other);
    await settled();
    expect(received).toHaveLength(1);
    expect(await other.getInitialLink()).toBeNull();
  });

  test('URLs of other hosts and schemes reach neither the callback nor the service', async () => {
    initialUrl = 'acme://callback?code=1';
    const app = launch();
    listen(app);
    emit('https://other.example.com/');
    expect(await app.getInitialLink()).toBeNull();
    expect(await app.resolve('https://other.example.com/')).toBeNull();
    await settled();
    expect([received, service.requests]).toEqual([[], []]);
  });

  test('events and calls for one tap are one open', async () => {
    initialUrl = 'https://go.example.com/summer';
    const app = launch();
    listen(app);
    emit(initialUrl);
    const resolved = await app.resolve(initialUrl);
    emit(initialUrl);
    await settled();
    expect(resolved).toMatchObject({ route: '/summer' });
    expect(service.opens.size).toBe(1);
    expect(received.length).toBeLessThanOrEqual(1);
  });

  test.each(['offline', '500', 'lost', 'stalled', 'portal', 'json'] as const)(
    '%s: the open is repeated with its id',
    async (network) => {
      service.network = network;
      initialUrl = 'https://go.example.com/summer';
      const link = await launch().getInitialLink();
      service.network = 'online';
      initialUrl = null;
      launch();
      await settled();
      launch();
      await settled();
      expect([...service.opens]).toEqual([[link!.id, 'https://go.example.com/summer']]);
      expect(bodies().map(({ open_id }) => open_id)).toEqual([link!.id, link!.id]);
      expect(JSON.parse(stored.get('signpost.opens')!)).toEqual([]);
    },
  );

  test('the service is not asked again before Retry-After, even if the clock is set back meanwhile', async () => {
    service.network = '429';
    const app = launch();
    await app.resolve('https://go.example.com/summer');
    service.network = 'online';
    await app.resolve('https://go.example.com/winter');
    await settled();
    expect(service.opens.size).toBe(1);
    nowMs -= 365 * 86_400_000;
    await app.resolve('https://go.example.com/spring');
    await settled();
    expect(service.opens.size).toBe(3);
  });

  test('at most 20 opens wait, for at most seven days', async () => {
    service.network = 'offline';
    const app = launch();
    for (let n = 0; n < 25; n++) await app.resolve(`https://go.example.com/${n}`);
    await settled();
    expect(JSON.parse(stored.get('signpost.opens')!)).toHaveLength(20);
    service.network = 'online';
    nowMs += 8 * 86_400_000;
    launch();
    await settled();
    expect(service.opens.size).toBe(0);
    expect(JSON.parse(stored.get('signpost.opens')!)).toEqual([]);
  });

  test.each([
    ['cannot be read', { getItem: () => Promise.reject(new Error('locked')) }],
    ['cannot be written', { setItem: () => Promise.reject(new Error('full')) }],
    ['is damaged', { getItem: () => '[{"url":1}, null' }],
    ['has another form', { getItem: () => '[null, {"url":1}, 3]' }],
  ])('a storage that %s delays no link', async (_, storage) => {
    initialUrl = 'https://go.example.com/summer';
    expect(await launch(storage).getInitialLink()).toMatchObject({ answer: 'resolved', route: '/summer' });
  });

  test('forget deletes opens, links and tokens, and does not wait for a claim', async () => {
    service.network = 'stalled';
    const app = launch({}, { referrer: () => `secret=1&deferred_link=${T}` });
    await app.resolve('https://go.example.com/summer?secret=1');
    await app.claimDeferred();
    expect([...stored.values()].join()).toMatch(new RegExp(`secret.*${T}|${T}.*secret`));
    await app.forget();
    expect([...stored.values()].join()).not.toMatch(new RegExp(`secret|${T}`));
  });

  test('React Navigation gets links of the project as routes, other URLs unchanged, and no late link', async () => {
    service.network = 'slow';
    const linking = signpostLinking({ signpost: launch(), hosts, links, prefixes: ['acme://'] });
    const urls: string[] = [];
    linking.subscribe((url) => urls.push(url));
    expect(linking.prefixes).toEqual(['https://go.example.com', 'https://go-open.example.com', 'acme://']);
    emit('https://go-open.example.com/summer?_via=open');
    emit('acme://settings');
    await settled();
    service.arrive();
    await settled();
    expect(urls.sort()).toEqual(['acme://settings', 'https://go.example.com/summer']);
    expect(await linking.getInitialURL()).toBeNull();
  });

  test.each([
    ['https://go-open.example.com/s4le?x=1', 'https://go.example.com/sale?x=1'],
    ['acme://settings', 'acme://settings'],
  ])('React Navigation starts with %s as %s', async (url, route) => {
    initialUrl = url;
    expect(await signpostLinking({ signpost: launch(), hosts, links }).getInitialURL()).toBe(route);
  });

  test.each([
    ['alone', null, ['/summer?utm_source=mail']],
    ['after another link, it does not navigate', 'https://go.example.com/winter?x=1', []],
  ])('Expo Router gets direct links by its native intent, and the deferred link %s', async (_, url, expected) => {
    const app = launch({}, { app: null, referrer: () => `utm_source=mail&deferred_link=${T}` });
    const routes: string[] = [];
    followDeferredLinks(app, { navigate: (route) => void routes.push(route) });
    const redirect = redirectSystemPath(app);
    expect(await redirect({ path: '/settings', initial: true })).toBe('/settings');
    if (url) {
      emit(url);
      expect(await redirect({ path: url, initial: false })).toBe('/winter?x=1');
    }
    await app.claimDeferred();
    await settled();
    expect(routes).toEqual(expected);
  });
});
