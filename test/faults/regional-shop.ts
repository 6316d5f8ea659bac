import { setTimeout as delay } from 'node:timers/promises';
import { digestOfToken } from '../../src/link-traffic/deferred-links/deferred-link';
import { pixel, referrerOf } from '../link-traffic/deferred-links/claim-link';
import type { Answer } from '../support/ask';
import type { Cluster } from '../support/cluster';
import { eventually, until } from '../support/eventually';
import type { Program } from '../support/process';
import type { TwoRegions } from '../support/region';

const host = 'shop.localhost';

/** A project of the primary, whose links are visited in the region. */
export class RegionalShop {
  /** The paths of the project and of its links in the API. */
  project!: string;
  links!: string;
  readonly ids: Record<string, string> = {};
  readonly #stops: (() => void)[] = [];

  constructor(private readonly on: () => TwoRegions) {
    // A failed test must not leave visitors to the next ones.
    afterEach(() => this.#stops.splice(0).forEach((stop) => stop()));
  }

  async create(): Promise<void> {
    this.project = `/projects/${(await this.on().api('POST', '/projects', { name: 'Shop', subdomain: 'shop' })).id}`;
    this.links = `${this.project}/links`;
  }

  /** Creates a link that leads to the page of its path. */
  async aLink(path: string, fields: object = {}): Promise<void> {
    const body = { name: path, custom_path: path, desktop_url: `https://example.com/${path}`, ...fields };
    this.ids[path] = (await this.on().api('POST', this.links, body)).id;
  }

  async anAndroidApp(): Promise<string> {
    const app = { name: 'App', package_name: 'com.example.app', sha_fingerprints: [Array(32).fill('AB').join(':')] };
    return (await this.on().api('POST', `${this.project}/android-apps`, app)).id;
  }

  /** Visits the region, and returns the destination, or the status. */
  async visit(path: string, { by = this.on().service, at = host } = {}): Promise<string> {
    const { status, headers } = await by.ask(`/${path}`, { headers: { Host: at } });
    return headers.location ?? String(status);
  }

  serves(path: string): Promise<boolean> {
    return eventually(async () => (await this.visit(path)) === `https://example.com/${path}`);
  }

  /** Visits until the returned function is called, and expects one of the given answers each time. Returns the number of visits. */
  visitors(expected: Record<string, string[]>): () => Promise<number> {
    let stopped = false;
    let visits = 0;
    this.#stops.push(() => (stopped = true));
    const running = (async () => {
      while (!stopped) {
        for (const [path, answers] of Object.entries(expected)) {
          const answer = await this.visit(path);
          if (!answers.includes(answer))
            throw new Error(`/${path} answered ${answer} instead of ${answers.join(' or ')}`);
          visits++;
        }
        await delay(5);
      }
    })();
    running.catch(() => {});
    return async () => {
      stopped = true;
      await running;
      return visits;
    };
  }

  async clicksOf(path: string): Promise<number> {
    const { totals } = await this.on().api('GET', `${this.links}/${this.ids[path]}/analytics`);
    return (totals as { clicks: number }).clicks;
  }

  /** Visits with an Android phone, and returns the token of the install referrer once its database has it. */
  async aToken(path: string, from: Program, database: Cluster): Promise<string> {
    const { headers } = await from.ask(`/${path}`, { headers: { Host: host, 'User-Agent': pixel } });
    const token = referrerOf(headers.location!).get('deferred_link')!;
    const written = `SELECT FROM deferred_links WHERE token_digest = '\\x${digestOfToken(token).toString('hex')}'`;
    await until(async () => (await database.query(written)).length === 1);
    return token;
  }

  /** Claims, and repeats while the region that issued the token has not answered, as the contract allows. */
  claimAt(service: Program, token: string): Promise<Answer> {
    const request = { method: 'POST', headers: { Host: host }, body: { token } };
    return eventually(async () => {
      const answer = await service.ask('/deferred-links/claim', request);
      return answer.status !== 503 && answer;
    });
  }
}
