import { createSignpost, type DeferredResult, type Signpost } from '../../clients/app/src/index';
import { codeIn, readPage, tablesOf } from '../support/pages';
import { type Network, ServiceModel, tokens } from './service-model';

const host = 'go.example.com';
const { T, U, X } = tokens;
const dayMs = 86_400_000;

const referrers: Record<string, () => string | null | Promise<string | null>> = {
  T: () => `deferred_link=${T}`,
  U: () => `deferred_link=${U}`,
  X: () => `deferred_link=${X}`,
  utm: () => `utm_source=mail&deferred_link=${T}`,
  double: () => encodeURIComponent(`utm_source=mail&deferred_link=${T}`),
  question: () => `?deferred_link=${T}`,
  organic: () => 'utm_source=google-play&utm_medium=organic',
  empty: () => '',
  malformed: () => 'deferred_link=short',
  broken: () => '%E0%A4%A&%=%ZZ',
  null: () => null,
  error: () => Promise.reject(new Error('SERVICE_UNAVAILABLE')),
  hangs: () => new Promise(() => {}),
};
const copied: Record<string, string> = {
  T: `https://${host}/summer?x=1&deferred_link=${T}`,
  text: `https://${host}/summer?x=1&deferred_link=${T}`,
  other: 'https://other.example.com/',
  foreign: `https://other.example.com/summer?deferred_link=${T}`,
  plain: `https://${host}/summer`,
  nothing: '',
  error: '',
};

/** A phone with one installation of the app. Each word of a row changes it, or starts the app. */
class Phone {
  readonly service = new ServiceModel();
  platform = 'bare';
  referrer = 'null';
  clipboard = 'nothing';
  /** The answer of the person to the question of the system. */
  prompt: 'agree' | 'refuse' | 'ignore' = 'agree';
  storage = 'ok';
  stored = new Map<string, string>();
  aheadMs = 0;
  installedAt = 1;
  initialUrl: string | null = null;
  opened: string[] = [];
  reads = 0;
  result: DeferredResult | null = null;
  app: Signpost | null = null;
  emit: (url: string) => void = () => {};
  /** Counts processes, so that a killed one reaches nothing any more. */
  process = 0;

  async do(word: string): Promise<void> {
    const [name, value = ''] = word.split('=') as [string, string?];
    if (['android', 'ios', 'bare'].includes(name)) this.platform = name;
    else if (name === 'referrer' || name === 'clipboard' || name === 'storage') this[name] = value;
    else if (/^[+-]\d+[dm]$/.test(name))
      this.service.nowMs = this.aheadMs += parseInt(name, 10) * (name.endsWith('d') ? dayMs : 60_000);
    else if (name === 'reinstall') this.stored = new Map();
    else if (name === 'open') this.initialUrl = `https://${host}${value}`;
    else if (name === 'event') this.emit(`https://${host}${value}`);
    else if (name === 'listen') this.listen(this.app!);
    else if (name === 'arrive') this.service.arrive();
    else if (name === 'forget') await this.app!.forget();
    else if (name === 'again') this.result = await this.app!.claimDeferred();
    else if (name === 'decline') this.result = await this.app!.claimDeferred({ paste: false });
    else if (name === 'button') this.result = await this.app!.paste(copied[this.clipboard]!);
    else if (['paste', 'refuse', 'prompt'].includes(name)) await this.paste(name);
    else if (name === 'launch' || name === 'launch:quiet') await this.launch(name === 'launch:quiet');
    else if (name !== 'restore') this.service.network = name as Network;
    if (name === 'restore' || name === 'reinstall') this.installedAt++;
    await settled();
    if (name === 'arrive' || name === 'forget' || name === 'listen') this.result = await this.app!.claimDeferred();
  }

  async paste(answer: string): Promise<void> {
    this.prompt = answer === 'refuse' ? 'refuse' : answer === 'prompt' ? 'ignore' : 'agree';
    const pasting = this.app!.claimDeferred({ paste: true });
    if (this.prompt !== 'ignore') this.result = await pasting;
  }

  listen(app: Signpost): void {
    app.onLink(({ route, late }) => this.opened.push(`${route}${late ? ' late' : ''}`));
  }

  async launch(isQuiet: boolean): Promise<void> {
    if (this.storage === 'damaged') this.stored.forEach((_, key) => this.stored.set(key, '{"step":'));
    this.app?.stop();
    const process = ++this.process;
    const untilKilled = <T>(value: T): T | Promise<T> => (process === this.process ? value : new Promise<T>(() => {}));
    const initialUrl = this.initialUrl;
    this.initialUrl = null;
    const app = createSignpost({
      hosts: [host],
      app: { bundleId: 'com.example.app', version: '1.0.0' },
      timeoutMs: 5,
      now: () => 1_800_000_000_000 + this.aheadMs,
      storage: {
        getItem: (key) => {
          if (this.storage === 'unreadable') throw new Error('unreadable');
          return this.stored.get(key) ?? null;
        },
        setItem: (key, text) => {
          if (this.storage === 'readonly') throw new Error('full');
          if (process === this.process) this.stored.set(key, text);
        },
      },
      links: { getInitialURL: () => initialUrl, subscribe: (listener) => ((this.emit = listener), () => {}) },
      installedAt: () => this.installedAt,
      fetch: async (url, init) => untilKilled(await this.service.fetch(url, init)),
      ...(this.platform === 'android' ? { referrer: () => referrers[this.referrer]!() } : {}),
      ...(this.platform === 'ios' ? { clipboard: this.clipboardSource() } : {}),
    });
    this.app = app;
    if (!isQuiet) this.listen(app);
    this.result = await app.claimDeferred();
  }

  clipboardSource() {
    return {
      hasUrl: () => {
        if (this.clipboard === 'error') throw new Error('unavailable');
        return !['nothing', 'text'].includes(this.clipboard);
      },
      hasText: () => this.clipboard !== 'nothing',
      read: () => {
        this.reads++;
        if (this.prompt === 'ignore') return new Promise<string>(() => {});
        return this.prompt === 'refuse' ? null : copied[this.clipboard]!;
      },
    };
  }
}

/** Lets every callback run. All of them but answers that stall are microtasks. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

const table = tablesOf(readPage('docs/apps/first-launch.md')).find(({ heading }) => heading === 'Launches')!;

test('the page has no launch twice, and every status and every reason is the result of one', () => {
  expect(new Set(table.rows.map(([, steps]) => steps)).size).toBe(table.rows.length);
  const source = readPage('clients/app/src/first-launch.ts');
  const namesIn = (type: string) =>
    [...new RegExp(`type ${type} =([^;]*);`).exec(source)![1]!.matchAll(/'([^']+)'/g)].map(([, name]) => name!).sort();
  const column = (at: number) => [...new Set(table.rows.map((row) => codeIn(row[at]!)[0]!))].sort();
  expect([column(2), column(3)]).toEqual([namesIn('DeferredStatus'), namesIn('DeferredReason')]);
});

test.each(table.rows)('%s', async (_, steps, status, reason, opened, counted) => {
  const phone = new Phone();
  for (const word of codeIn(steps)[0]!.split(' ')) await phone.do(word);
  expect({ ...phone.result, opened: phone.opened }).toEqual({
    status: codeIn(status)[0],
    reason: codeIn(reason)[0],
    opened: codeIn(opened),
  });
  const launches = [...phone.service.launches.values()];
  expect(launches.map((outcome) => outcome || 'open')).toEqual(codeIn(counted));
  // A token leaves the phone to a host of the project only, and nothing else of the clipboard does.
  for (const { url, body } of phone.service.requests.filter(({ url }) => url.endsWith('/claim'))) {
    expect(url).toBe(`https://${host}/deferred-links/claim`);
    const claim: unknown = JSON.parse(body);
    expect(claim).toEqual({
      token: expect.stringMatching(`^(${T}|${U}|${X})$`),
      claim_id: expect.stringMatching(/^[\w-]{22}$/),
    });
  }
  phone.app!.stop();
  expect(phone.reads).toBeLessThanOrEqual((steps.match(/paste|refuse|prompt/g) ?? []).length);
});
