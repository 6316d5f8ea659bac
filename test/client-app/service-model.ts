import type { FetchResponse } from '../../clients/app/src/index';

export const tokens = { T: 'T'.repeat(22), U: 'U'.repeat(22), X: 'X'.repeat(22) };

/**
 * `lost`: the service works, and its answer is lost. `slow`: the answer waits for `arrive`. `stalled`: the request never reaches the
 * service. `portal`, `json`: the network answers itself, with a page or with JSON. `disabled`: the link is disabled.
 */
export type Network =
  | ('online' | 'offline' | 'lost' | 'slow' | 'stalled' | 'portal' | 'json' | 'disabled')
  | ('400' | '404' | '429' | '500' | '503');

const retryAfter: Partial<Record<Network, string>> = { 429: '60', 503: '86400' };

const answerOf = (status: number, body: unknown, retryAfter: string | null = null): FetchResponse => ({
  status,
  headers: { get: (name) => (name === 'Retry-After' ? retryAfter : null) },
  json: async () => {
    if (body === undefined) throw new SyntaxError('Unexpected token <');
    return body;
  },
});

const contentOf = (path: string) => ({
  path,
  full_url: `https://go.example.com/${path}`,
  referrer_params: null,
  app_data: { path },
  external_id: null,
  click_id: null,
});

/** A model of the three endpoints for apps. `service-model.http.spec.ts` compares it with the service. */
export class ServiceModel {
  network: Network = 'online';
  nowMs = 0;
  readonly requests: { url: string; body: string }[] = [];
  readonly opens = new Map<string, string>();
  /** The outcome of each installation; empty if none was reported. */
  readonly launches = new Map<string, string>();
  readonly #links = new Map([
    [tokens.T, 'summer'],
    [tokens.U, 'winter'],
  ]);
  readonly #claims = new Map<string, { token: string; path: string; at: number }>();
  #late: (() => void)[] = [];

  async fetch(url: string, init: { body: string }): Promise<FetchResponse> {
    this.requests.push({ url, body: init.body });
    const { network } = this;
    if (network === 'offline') throw new TypeError('Network request failed');
    if (network === 'stalled') return new Promise(() => {});
    if (network === 'portal') return answerOf(200, undefined);
    if (network === 'json') return answerOf(200, { success: true });
    if (network === 'disabled') return answerOf(404, { error: { code: 'NOT_FOUND' } });
    if (/^\d/.test(network)) return answerOf(Number(network), {}, retryAfter[network] ?? null);
    const sent = JSON.parse(init.body);
    const answer = url.endsWith('/claim')
      ? this.#claim(sent)
      : url.endsWith('/first-launch')
        ? this.#launch(sent)
        : this.#open(sent);
    if (network === 'lost') throw new TypeError('Network request failed');
    if (network === 'slow') await new Promise<void>((resolve) => this.#late.push(resolve));
    return answer;
  }

  arrive(): void {
    this.#late.forEach((resolve) => resolve());
    this.#late = [];
    this.network = 'online';
  }

  #claim({ token, claim_id: id }: { token: string; claim_id?: string }): FetchResponse {
    const earlier = id === undefined ? undefined : this.#claims.get(id);
    const isSame = earlier?.token === token && this.nowMs - earlier.at < 3_600_000;
    const path = isSame ? earlier.path : this.#links.get(token);
    if (path && id !== undefined && !isSame) this.#claims.set(id, { token, path, at: this.nowMs });
    this.#links.delete(token);
    if (!path) return answerOf(404, { error: { code: 'NOT_FOUND' } });
    return answerOf(200, { data: { ...contentOf(path), clicked_at: '2026-07-01T09:30:00.000Z' } });
  }

  #launch({ launch_id: id, outcome = '' }: { launch_id: string; outcome?: string }): FetchResponse {
    this.launches.set(id, this.launches.get(id) || outcome);
    return answerOf(200, { data: { counted: true } });
  }

  #open({ url, open_id }: { url: string; open_id: string }): FetchResponse {
    const { pathname, searchParams } = new URL(url);
    const slug = pathname.slice(1);
    const path = slug === 's4le' ? 'sale' : slug;
    if (path === 'unknown') return answerOf(404, { error: { code: 'NOT_FOUND' } });
    this.opens.set(open_id, url);
    searchParams.delete('_via');
    const query = searchParams.size > 0 ? `?${searchParams.toString()}` : '';
    const valueOf = (values: string[]) => (values.length > 1 ? values : values[0]);
    const names = [...searchParams.keys()];
    const data = {
      ...contentOf(path),
      destination: `https://shop.example.com/${path}${query}`,
      params: Object.fromEntries(names.map((name) => [name, valueOf(searchParams.getAll(name))])),
      variant: null,
    };
    return answerOf(200, { data });
  }
}
