import { randomBytes } from 'node:crypto';
import { clipboardTextOf, iPhone, pixel, referrerOf } from './deferred-links/claim-link';

/** The part of an answer that people and apps look at. Status 0: the service was killed. */
interface Answer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

export interface Request {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: object;
}

type Ask = (path: string, request: Request) => Promise<Answer>;

export const instagram = `${iPhone} Instagram 300.0.0.1.1 (iPhone14,5; iOS 17_5; en_US)`;
export const facebook = `${pixel} [FB_IAB/FB4A;FBAV/450.0.0.0.0;]`;

type Step = 'copied' | 'store' | 'claim' | 'claim by another' | 'first_open' | Outcome;
type Outcome = 'claimed' | 'none' | 'declined' | 'expired' | 'used' | 'offline_later';

interface Journey {
  /** Visitors without a token count nowhere. */
  visitor: string;
  headers?: Record<string, string>;
  method?: 'HEAD';
  steps: readonly Step[];
  /** The events, each once. */
  counts: string;
}

const iosApp = { bundle_id: 'com.example.shop', version: '2.0' };
const androidApp = { package_name: 'com.example.shop', version: '2.0' };
const crawler = 'Twitterbot/1.0';

/** @param steps separated by commas */
const aJourney = (visitor: string, steps: string, counts: string): Journey => ({
  visitor,
  steps: steps.split(', ').filter(Boolean) as Step[],
  counts,
});

/** Every way through the store, by the step at which it ends. */
export const journeys: readonly Journey[] = [
  aJourney(iPhone, '', 'shown'),
  aJourney(iPhone, 'copied', 'shown copied'),
  aJourney(iPhone, 'copied, store', 'shown copied store'),
  aJourney(iPhone, 'store, first_open, none', 'shown store first_open none'),
  aJourney(iPhone, 'copied, store, first_open', 'shown copied store first_open'),
  aJourney(iPhone, 'copied, store, first_open, declined', 'shown copied store first_open declined'),
  aJourney(iPhone, 'copied, store, claim, claimed', 'shown copied store first_open claimed'),
  aJourney(instagram, 'copied, store, first_open, claim, claimed', 'shown copied store first_open claimed'),
  aJourney(instagram, 'copied, store, claim, offline_later', 'shown copied store first_open offline_later'),
  aJourney(instagram, 'copied', 'shown copied'),
  aJourney(iPhone, 'copied, store, expired', 'shown copied store first_open expired'),
  aJourney(pixel, '', 'store'),
  aJourney(pixel, 'claim, claimed', 'store first_open claimed'),
  aJourney(pixel, 'first_open, none', 'store first_open none'),
  aJourney(pixel, 'claim by another, used', 'store first_open used'),
  aJourney(facebook, '', 'shown'),
  aJourney(facebook, 'store, claim, claimed', 'shown store first_open claimed'),
  aJourney(crawler, '', ''),
  { visitor: iPhone, method: 'HEAD', steps: [], counts: '' },
  { visitor: pixel, headers: { 'Sec-Purpose': 'prefetch' }, steps: [], counts: '' },
];

/** The sums of the journeys, without those of the kinds that have no link or browser until their outcome. */
export function expectedCounts(times: (journey: number) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [at, { visitor, counts }] of journeys.entries())
    for (const event of counts.split(' ').filter(Boolean)) {
      const platform = visitor === pixel || visitor === facebook ? 'android' : 'ios';
      const app = visitor === instagram ? 'Instagram' : visitor === facebook ? 'Facebook' : '';
      const browser = ['first_open', 'none', 'declined'].includes(event) ? '' : app;
      const key = [platform, browser, event].filter(Boolean).join(' ');
      sums[key] = (sums[key] ?? 0) + times(at);
    }
  return sums;
}

const anId = (): string => randomBytes(16).toString('base64url');

/** Makes one journey. Everything that has no answer is repeated, as browsers and apps do. */
export class Visitor {
  /** The requests whose answer came before their event was stored. */
  readonly unsure: [path: string, request: Request][] = [];
  readonly received = new Set<string>();
  /** The last token of each visit, with the request that gets a further one. */
  readonly visits: { token: string; again: () => Promise<string | null> }[] = [];

  /** @param isStored whether the answer came soon enough to be stored */
  constructor(
    private readonly ask: Ask,
    private readonly path: string,
    private readonly isStored: (answer: Answer) => boolean = () => true,
  ) {}

  async make(at: number): Promise<void> {
    const { visitor, headers = {}, method = 'GET', steps } = journeys[at % journeys.length]!;
    const isAndroid = visitor === pixel || visitor === facebook;
    // Each visitor has an address, because the tokens of an address are limited.
    const number = Math.floor(Math.random() * 2 ** 24);
    const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    const sent = { 'X-Forwarded-For': address, 'User-Agent': visitor, ...headers };
    const get = async (query = '') => {
      const token = tokenOf(await this.#answer(`${this.path}${query}`, { method, headers: sent }));
      if (token !== null) this.received.add(token);
      return token;
    };
    const inApp = visitor === instagram || visitor === facebook;
    const firstPage = inApp && !isAndroid ? () => get('?_via=page') : () => get();
    const post = (path: string, body: object) =>
      this.#answer(path, { method: 'POST', headers: { 'X-Forwarded-For': address }, body });
    let token = await firstPage();
    if (token === null) return;
    this.visits.push({ token, again: firstPage });
    let page = this.visits.length - 1;
    /** Sends a request with the token; visits again if the service was killed before it stored the token. */
    const withToken = async (send: (token: string) => Promise<Answer>): Promise<void> => {
      while ((await send(token!)).status === 404) {
        token = (await this.visits[page]!.again())!;
        this.visits[page]!.token = token;
      }
    };
    const launchId = anId();
    const claimId = anId();
    const launch = (fields: object) =>
      post('/links/first-launch', { launch_id: launchId, app: isAndroid ? androidApp : iosApp, ...fields });
    for (const step of steps)
      switch (step) {
        case 'copied':
        case 'store':
          if (isAndroid) {
            token = (await get('?_via=page'))!;
            page = this.visits.push({ token, again: () => get('?_via=page') }) - 1;
          } else
            for (let taps = 0; taps < 2; taps++)
              await withToken((one) => post('/deferred-links/step', { token: one, step }));
          break;
        case 'claim':
        case 'claim by another':
          await withToken((one) => post('/deferred-links/claim', { token: one, claim_id: claimId }));
          break;
        case 'first_open':
          await launch({});
          break;
        case 'none':
        case 'declined':
          await launch({ outcome: step });
          break;
        case 'claimed':
        case 'expired':
        case 'used':
        case 'offline_later':
          for (let times = 0; times < 2; times++) await launch({ outcome: step, token });
      }
  }

  async #answer(path: string, request: Request): Promise<Answer> {
    const answer = await this.ask(path, request);
    if (request.method === 'POST' && !this.isStored(answer)) this.unsure.push([path, request]);
    return answer;
  }
}

/** Returns the token of a page or of a redirect to the store. */
function tokenOf({ status, headers, text }: Answer): string | null {
  if (status === 302) return referrerOf(String(headers['location'])).get('deferred_link');
  if (text.includes('data-value')) return new URL(clipboardTextOf(text)).searchParams.get('deferred_link');
  return /deferred_link%253D([\w-]{22})/.exec(text)?.[1] ?? null;
}
