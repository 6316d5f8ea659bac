import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ImportApiClient } from '../../../src/imports/apis/import-api-client';
import { HostAddresses } from '../../../src/platform/outbound/host-addresses';
import { aCertificate, TlsHost } from '../../support/tls-host';

export const token = 'secret-token-4711';

export const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));

/** A question to one of the systems. */
interface Asked {
  host: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  form: URLSearchParams;
}

/** JSON, or an answer of another kind. */
export type Answer = object | ((response: ServerResponse) => void);

export type System = (asked: Asked) => Answer;

/** An error as most systems answer it. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, { 'Content-Type': 'application/json', ...headers }).end('{"message":"refused"}');

/** Refuses questions without the token, as documented for each system. */
const withToken =
  (isRight: (asked: Asked) => boolean, system: System): System =>
  (asked) =>
    isRight(asked) ? system(asked) : status(403);

class LoopbackAddresses extends HostAddresses {
  addressesOf(): Promise<string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}

/** Several systems behind one TLS server, by host name. */
export class OtherSystems {
  static readonly hosts = [
    ...['api-ssl.bitly.com', 'api.dub.co', 'api.short.io', 'api.rebrandly.com'],
    ...['shlink.example.com', 'kutt.example.com', 'yourls.example.com'],
  ];
  readonly asked: Asked[] = [];
  readonly #systems = new Map<string, System>();

  private constructor(
    private readonly server: TlsHost,
    readonly caCertificates: string,
  ) {
    server.answer = (request, response) => void this.#answer(request, response);
  }

  static async start(): Promise<OtherSystems> {
    const certificate = await aCertificate(OtherSystems.hosts);
    return new OtherSystems(await TlsHost.start(certificate), certificate.cert);
  }

  get port(): number {
    return this.server.port;
  }

  /** Returns a client that reads these systems. */
  client(): ImportApiClient {
    const { port, caCertificates } = this;
    const clock = { now: () => Date.now() };
    const counts = { answered: 0, limited: 0, failed: 0 };
    return new ImportApiClient(new LoopbackAddresses(), { allowPrivateAddresses: true }, clock, counts, {
      port,
      caCertificates,
    });
  }

  set(host: string, system: System): void {
    this.asked.length = 0;
    this.#systems.set(host, system);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host!.replace(/:\d+$/, '');
    const url = new URL(request.url!, 'https://localhost');
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
    const asked = { host, path: url.pathname, query: url.searchParams, headers: request.headers, form };
    this.asked.push(asked);
    const answer = this.#systems.get(host)!(asked);
    if (typeof answer === 'function') answer(response);
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }
}

const bearer = ({ headers }: Asked): boolean => headers.authorization === `Bearer ${token}`;

type Links = Record<string, unknown>[];

/** Bitly: pages by `search_after`, at most 100 links. Archived links only on request. */
export const bitly = (groups: Record<string, Links>): System =>
  withToken(bearer, ({ path, query }) => {
    if (path === '/v4/groups') return { groups: Object.keys(groups).map((guid) => ({ guid, name: guid })) };
    const guid = /^\/v4\/groups\/(\w+)\/bitlinks$/.exec(path)?.[1] ?? '';
    const all = (groups[guid] ?? []).filter((link) => query.get('archived') === 'both' || !link['archived']);
    const size = Math.min(100, Number(query.get('size')));
    const from = Number(query.get('search_after') ?? 0);
    const next = from + size < all.length ? String(from + size) : '';
    return { links: all.slice(from, from + size), pagination: { next: '', size, search_after: next } };
  });

interface DubFolder {
  id: string;
  type: 'default' | 'mega';
}

/**
 * Dub: pages by number, at most 100 links. A list without a folder has the links that are in none. With a domain, it also has those
 * in folders that are not of the type `mega`, and counts by domain do too. `folders` is null if the key may not list them.
 */
export const dub = (links: Links, folders: DubFolder[] | null = [], unlisted: DubFolder[] = []): System =>
  withToken(bearer, ({ path, query }) => {
    const domain = query.get('domain');
    const number = Number(query.get('page'));
    const size = Number(query.get('pageSize'));
    if (path === '/folders' && folders === null) return status(403);
    if (path === '/folders') return size > 50 ? status(422) : folders!.slice((number - 1) * size).slice(0, size);
    const ofType = new Map<unknown, string>([...(folders ?? []), ...unlisted].map(({ id, type }) => [id, type]));
    const isIn = ({ folderId = null }: Links[number]): boolean => {
      if (query.has('folderId')) return folderId === query.get('folderId');
      return folderId === null || ((domain !== null || query.has('groupBy')) && ofType.get(folderId) === 'default');
    };
    const all = links.filter(
      (link) =>
        isIn(link) &&
        (domain === null || link['domain'] === domain) &&
        (query.get('showArchived') === 'true' || !link['archived']),
    );
    if (path === '/links/count' && query.get('groupBy') === 'domain')
      return [...new Set(all.map((link) => link['domain']))].map((name) => ({
        domain: name,
        _count: all.filter((link) => link['domain'] === name).length,
      }));
    if (path === '/links/count') return status200(all.length);
    if (path !== '/links' || size > 100) return status(422);
    const sorted = query.get('sortOrder') === 'asc' ? all : all.toReversed();
    return sorted.slice((number - 1) * size).slice(0, size);
  });

/** JSON that is no object. */
const status200 =
  (value: unknown): Answer =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));

/** Short.io: pages of a domain by `pageToken`, at most 150 links. The token has no scheme. */
export const shortIo = (domains: Record<string, Links>): System =>
  withToken(
    ({ headers }) => headers.authorization === token,
    ({ path, query }) => {
      const names = Object.keys(domains);
      if (path === '/api/domains') return names.map((hostname, at) => ({ id: at + 1, hostname, state: 'configured' }));
      const all = domains[names[Number(query.get('domain_id')) - 1] ?? ''];
      const limit = Number(query.get('limit'));
      if (path !== '/api/links' || !all || limit > 150) return status(400);
      const from = Number((query.get('pageToken') ?? 'after-0').replace('after-', ''));
      const next = from + limit < all.length ? `after-${from + limit}` : null;
      return { count: all.length, links: all.slice(from, from + limit), nextPageToken: next };
    },
  );

/**
 * Rebrandly: pages after the link or workspace `last`, at most 25. The header `workspace` chooses the links of one, by default those of
 * the main one, which is the first.
 */
export const rebrandly = (links: Links, workspaces: string[] = ['main']): System =>
  withToken(
    ({ headers }) => headers['apikey'] === token,
    ({ path, query, headers }) => {
      const limit = Number(query.get('limit'));
      if (!['/v1/links', '/v1/workspaces'].includes(path) || limit > 25) return status(400);
      const chosen = headers['workspace'] ?? workspaces[0];
      const all =
        path === '/v1/links'
          ? links.filter(({ workspace = workspaces[0] }) => workspace === chosen)
          : workspaces.map((id): Links[number] => ({ id, name: id }));
      const from = all.findIndex(({ id }) => id === query.get('last')) + 1;
      return all.slice(from, from + limit);
    },
  );

/** Shlink: pages by number. Redirect rules are at an address of each short URL. */
export const shlink = (links: Links, rules: Record<string, object[]> = {}): System =>
  withToken(
    ({ headers }) => headers['x-api-key'] === token,
    ({ path, query }) => {
      const code = /^\/rest\/v3\/short-urls\/([^/]+)\/redirect-rules$/.exec(path)?.[1];
      if (code !== undefined) return { defaultLongUrl: 'https://a.example/', redirectRules: rules[code] ?? [] };
      if (path !== '/rest/v3/short-urls') return status(404);
      const size = Number(query.get('itemsPerPage'));
      const page = Number(query.get('page'));
      const inOrder = query.get('orderBy') === 'dateCreated-DESC' ? links.toReversed() : links;
      const data = inOrder.slice((page - 1) * size, page * size);
      const pagination = {
        currentPage: page,
        pagesCount: Math.ceil(links.length / size),
        itemsPerPage: size,
        itemsInCurrentPage: data.length,
        totalItems: links.length,
      };
      return { shortUrls: { data, pagination } };
    },
  );

/** Kutt: pages by `skip`, at most 50 links. */
export const kutt = (links: Links): System =>
  withToken(
    ({ headers }) => headers['x-api-key'] === token,
    ({ path, query }) => {
      if (path !== '/links/api/v2/links') return status(404);
      const limit = Math.min(50, Number(query.get('limit')));
      const skip = Number(query.get('skip'));
      return { limit, skip, total: links.length, data: links.slice(skip, skip + limit) };
    },
  );

/** YOURLS: the action `stats`. Numbers are texts, and links are members of an object, which an empty list lacks. */
export const yourls = (links: Links): System =>
  withToken(
    ({ form, query }) => form.get('signature') === token && query.size === 0,
    ({ path, form }) => {
      if (path !== '/yourls-api.php' || form.get('action') !== 'stats' || form.get('format') !== 'json')
        return status(400);
      const start = Number(form.get('start'));
      const part = links.slice(start, start + Number(form.get('limit')));
      const members = Object.fromEntries(part.map((link, at) => [`link_${at + 1}`, link]));
      const stats = { total_links: String(links.length), total_clicks: '7' };
      return { ...(part.length > 0 && { links: members }), stats, statusCode: '200', message: 'success' };
    },
  );
