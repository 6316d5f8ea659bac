import { createClient, type SignpostClient } from '../index.js';
import { UsageFailure } from './failures.js';
import type { Io } from './io.js';
import { type Answer, send, type SendOptions } from './send.js';
import type { Settings } from './settings.js';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

/** The service with the project that the command works on. */
export class Connection {
  readonly client: SignpostClient;
  readonly path: { readonly projectId: string };

  private constructor(
    private readonly io: Io,
    private readonly settings: Settings,
    projectId: string,
  ) {
    this.client = clientOf(settings, io.signal);
    this.path = { projectId };
  }

  /** Returns a connection for operations of the account. */
  static ofAccount(io: Io, settings: Settings): Connection {
    return new Connection(io, settings, '');
  }

  /** @throws UsageFailure if no project has the subdomain */
  static async open(io: Io, settings: Settings): Promise<Connection> {
    if (isUuid(settings.project)) return new Connection(io, settings, settings.project.toLowerCase());
    const subdomainOrId = settings.project.toLowerCase();
    const client = clientOf(settings, io.signal);
    for (let page = 1; ; page++) {
      const query = { search: subdomainOrId, limit: 100, page };
      const { data, pagination } = await send(io, () => client.GET('/projects', { params: { query } }));
      const match = data.find(({ subdomain }) => subdomain === subdomainOrId);
      if (match) return new Connection(io, settings, match.id);
      if (!pagination.hasNextPage)
        throw new UsageFailure(`No project of the account has the subdomain ${JSON.stringify(subdomainOrId)}.`);
    }
  }

  /** Sends a request as `send` does. */
  readonly send = <Data>(request: () => Promise<Answer<Data>>, options?: SendOptions): Promise<Data> =>
    send(this.io, request, options);

  /** Returns the same connection for what must be done after an interruption, for some seconds. */
  afterInterruption(): Connection {
    return new Connection({ ...this.io, signal: AbortSignal.timeout(5000) }, this.settings, this.path.projectId);
  }
}

function clientOf({ baseUrl, key }: Settings, signal: AbortSignal): SignpostClient {
  // A redirected POST would become a GET, whose success would look like that of the POST.
  return createClient({ baseUrl, token: key, signal, redirect: 'manual' });
}
