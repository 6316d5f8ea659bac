import type { AppInfo, FetchFunction, SignpostStorage } from './options.js';
import { isObject } from './link.js';
import { type Answer, send } from './requests.js';

/** An open or a report of a first launch. */
interface Open {
  url: string;
  body: object;
  /** Unix time in milliseconds. */
  at: number;
}

const key = 'signpost.opens';
const maxOpens = 20;
const maxVersionLength = 50;
/** The service counts a repeated `open_id` once for this time. */
const lifetimeMs = 7 * 86_400_000;
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Draws 22 characters. They distinguish requests and protect nothing, so they need no secure source. */
export const newId = (): string =>
  Array.from({ length: 22 }, () => digits.charAt(Math.floor(Math.random() * 64))).join('');

export const appOf = (app: AppInfo): object => ({
  ...(app.bundleId === undefined ? { package_name: app.packageName } : { bundle_id: app.bundleId }),
  version: app.version.slice(0, maxVersionLength),
  ...(app.build ? { build: app.build.slice(0, maxVersionLength) } : {}),
});

/** Whether the service has decided, so that a repetition would change nothing. Services before opens answer 405. */
const isFinal = ({ status, body }: Answer): boolean =>
  status === 200
    ? isObject(body) && isObject(body['data'])
    : status !== null && [400, 404, 405, 413, 415].includes(status);

/** Creates the queue of opens that the service has not confirmed. It is stored, so that a killed app loses none. */
export function createOpenQueue(options: {
  storage: SignpostStorage;
  now: () => number;
  fetch: FetchFunction | undefined;
}) {
  const { storage, now } = options;
  let opens: Open[] = [];
  let retryAt = 0;
  let flushing = false;
  const sending = new Set<Open>();
  const loading = load();

  async function load(): Promise<void> {
    try {
      const stored: unknown = JSON.parse((await storage.getItem(key)) ?? '[]');
      const isOpen = (one: Partial<Open> | null) => typeof one?.url === 'string' && typeof one.body === 'object';
      // Opens that were added meanwhile stay the last ones.
      if (Array.isArray(stored)) opens = [...(stored as Open[]).filter(isOpen), ...opens].slice(-maxOpens);
    } catch {
      // Unreadable. The next write repairs it.
    }
  }

  let writing: Promise<unknown> = Promise.resolve();
  function save(): void {
    writing = writing.then(async () => storage.setItem(key, JSON.stringify(opens))).catch(() => {});
  }

  function settle(open: Open, answer: Answer): void {
    if (!isFinal(answer)) retryAt = Math.max(retryAt, now() + Math.min(answer.retryAfterMs, 3_600_000));
    else if (opens.includes(open)) {
      opens = opens.filter((one) => one !== open);
      save();
    }
  }

  const request = async (open: Open): Promise<Answer> => {
    sending.add(open);
    const answer = await send(options.fetch, open.url, open.body);
    sending.delete(open);
    settle(open, answer);
    return answer;
  };

  return {
    /**
     * Stores the request and sends it. The answer may take as long as the network lets it.
     * @param at the time from which it is repeated for a week
     */
    async send(host: string, path: 'open' | 'first-launch', body: object, at = now()): Promise<Answer> {
      const open = { url: `https://${host}/links/${path}`, body, at };
      opens = [...opens, open].slice(-maxOpens);
      void loading.then(save);
      return request(open);
    },
    /** Repeats opens of earlier launches, one after the other, until one gets no answer. */
    async flush(): Promise<void> {
      await loading;
      if (flushing || (now() < retryAt && retryAt - now() <= 3_600_000)) return;
      flushing = true;
      const fresh = opens.filter(({ at }) => now() - at < lifetimeMs);
      if (fresh.length < opens.length) {
        opens = fresh;
        save();
      }
      for (const open of fresh) if (!sending.has(open) && !isFinal(await request(open))) break;
      flushing = false;
    },
    async clear(): Promise<void> {
      await loading;
      opens = [];
      save();
      await writing;
    },
  };
}
