import { randomUUID } from 'node:crypto';
import { type ApiResponse, sendApiRequest } from '../support/api-request';
import { aDynamicLink, anAndroidApp, anIosApp, aProject, aTemplate } from '../support/builders';
import { settledStateOf, stateOf } from '../support/content';
import { accountFixture, providerFixture, serviceFixture } from '../support/fixtures';
import { inParallel } from '../support/in-parallel';
import type { TestAccount } from '../support/service';
import type { Item, Resource, Row } from './resources';

/** The parent of resources: a project or an account. */
export interface Place {
  account: TestAccount;
  credential: string;
  userId: string;
  projectId: string;
  subdomain: string;
  iosAppId: string;
  androidAppId: string;
  linkIds: string[];
  list: string;
}

const emptyPlace = (account: TestAccount): Place => ({
  account,
  credential: account.key,
  userId: account.userId,
  ...{ projectId: '', subdomain: '', iosAppId: '', androidAppId: '' },
  linkIds: [],
  list: '',
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A service for the contract tests, with limits above their needs. */
export class Places {
  readonly #provider = providerFixture();
  readonly on = serviceFixture(() => ({
    ...this.#provider.environment,
    API_KEYS_PER_ACCOUNT: 'unlimited',
    APPS_PER_PROJECT: '1000',
    CUSTOM_DOMAINS_PER_PROJECT: '1000',
    FORMER_SUBDOMAINS_PER_PROJECT: '1000',
  }));
  readonly #account = accountFixture(this.on);

  /** Creates an empty place: a new account, or a new project of `account` or of the shared account. */
  async create(resource: Resource, account?: TestAccount): Promise<Place> {
    if (resource.path.includes('{project}')) return this.#aProject(resource, account ?? this.#account);
    const { on } = this;
    const own = account ?? (await on.anAccount('enterprise'));
    const place = { ...emptyPlace(own), list: resource.path };
    if (resource.credential !== 'token') return place;
    const credential = this.#provider.token(own.accountId);
    const { body } = await sendApiRequest(on, credential, 'GET', '/account');
    await on.database.query('DELETE FROM api_keys WHERE account_id = $1', [own.accountId]);
    return { ...place, credential, userId: (body as { data: { user_id: string } }).data.user_id };
  }

  async #aProject(resource: Resource, account: TestAccount): Promise<Place> {
    const { on } = this;
    const { id: projectId, subdomain } = await aProject(on, account.key);
    const place: Place = { ...emptyPlace(account), projectId, subdomain };
    if (resource.name === 'dynamic link' || resource.table === 'app_releases') {
      place.iosAppId = (await anIosApp(on, account.key, projectId)).id;
      place.androidAppId = (await anAndroidApp(on, account.key, projectId)).id;
    }
    if (resource.name === 'dynamic link') await aTemplate(on, account.key, projectId, { name: 'Newsletter' });
    if (resource.name === 'short link')
      for (let links = 0; links < 3; links++) place.linkIds.push((await aDynamicLink(on, account.key, projectId)).id);
    return { ...place, list: listOf(resource, place) };
  }

  /** Sends a request below the list; a string `body` is JSON text. Fails if the answer does not match the OpenAPI document. */
  send({ list, credential }: Place, method: Method, suffix = '', body?: object | string): Promise<ApiResponse> {
    return sendApiRequest(
      this.on,
      credential,
      method,
      `${list}${suffix}`,
      typeof body === 'object' ? JSON.stringify(body) : body,
    );
  }

  /** Returns functions that read, change and delete items of a place, by default of the present one. */
  requestsIn(present: () => Place) {
    return {
      get: ({ id }: Item, where = present()) => this.send(where, 'GET', `/${id}`),
      put: ({ id }: Item, body: object | string, where = present()) => this.send(where, 'PUT', `/${id}`, body),
      remove: ({ id }: Item, where = present()) => this.send(where, 'DELETE', `/${id}`),
    };
  }

  /** Sends requests and expects an unchanged database; returns the answers. */
  async sendUnchanging<T>(cases: T[], send: (one: T, at: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
    const before = await settledStateOf(this.on.database);
    const answers = await inParallel(cases, send);
    expect(await stateOf(this.on.database)).toEqual(before);
    return answers;
  }

  async item(resource: Resource, place: Place, fields: object = {}): Promise<Item> {
    const answer = await this.send(place, 'POST', '', { ...resource.complete(place), ...fields });
    if (answer.status !== 201) throw new Error(answer.text);
    return (answer.body as { data: Item }).data;
  }

  async insert(resource: Resource, place: Place, rows: Row[]): Promise<string[]> {
    const values = rows.map((row) => ({ id: randomUUID(), ...resource.row(place, row) }));
    const columns = Object.keys(values[0]!).join(', ');
    await this.on.database.query(
      `INSERT INTO ${resource.table} (${columns})
       SELECT ${columns} FROM jsonb_populate_recordset(NULL::${resource.table}, $1)`,
      [JSON.stringify(values)],
    );
    return values.map(({ id }) => id);
  }
}

/** Returns the path of the resource's list below a project. */
export const listOf = ({ path }: Resource, { projectId, iosAppId, androidAppId }: Place): string =>
  path.replace('{project}', projectId).replace('{iosApp}', iosAppId).replace('{androidApp}', androidAppId);

export const itemOf = ({ body }: ApiResponse): Item => (body as { data: Item }).data;
