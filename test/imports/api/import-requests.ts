import type supertest from 'supertest';
import type { Import, ImportRow } from '../../../clients/typescript/src/index';
import { aProject } from '../../support/builders';
import { until } from '../../support/eventually';
import { fixtureOfEach } from '../../support/fixtures';
import type { TestAccount, TestService } from '../../support/service';

export const none = { created: 0, replaced: 0, unchanged: 0, conflict: 0, refused: 0 };

const types = { csv: 'text/csv', json: 'application/json', ndjson: 'application/x-ndjson' };

export const url = 'https://shop.example.com/sale';

/** A row of a link with this path. */
export const link = (path: string, fields: object = {}): Record<string, unknown> => ({
  name: path,
  custom_path: path,
  desktop_url: url,
  ...fields,
});

export const ndjson = (rows: readonly unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Sends requests about the imports of one project. */
export class ImportRequests {
  constructor(
    private readonly on: TestService,
    private readonly account: TestAccount,
    readonly projectId: string,
  ) {}

  api(method: 'get' | 'post' | 'delete', path: string): supertest.Test {
    return this.on.api(method, `/projects/${this.projectId}/imports${path}`, this.account.key);
  }

  upload(file: string | Buffer, query = '', format: keyof typeof types = 'ndjson'): supertest.Test {
    return this.api('post', query && `?${query}`)
      .set('Content-Type', types[format])
      .send(file);
  }

  async get(id: string): Promise<Import> {
    return (await this.api('get', `/${id}`).expect(200)).body.data;
  }

  /** Waits until neither dry run nor run works. A request takes five times as long as the statement. */
  async done(id: string): Promise<Import> {
    const working = "SELECT FROM imports WHERE id = $1 AND state IN ('uploading', 'checking', 'running')";
    await until(async () => (await this.on.database.query(working, [id])).length === 0);
    return this.get(id);
  }

  /** Uploads a file, and waits for the dry run. */
  async check(file: string | Buffer, query?: string, format?: keyof typeof types): Promise<Import> {
    const { body } = await this.upload(file, query, format).expect(202);
    return this.done(body.data.id);
  }

  async run(id: string): Promise<Import> {
    await this.api('post', `/${id}/run`).expect(202);
    return this.done(id);
  }

  /** Imports rows, and returns the state at the end. */
  async import(rows: readonly unknown[], query?: string): Promise<Import> {
    return this.run((await this.check(ndjson(rows), query)).id);
  }

  async rows(id: string, outcome?: string): Promise<ImportRow[]> {
    const filter = outcome === undefined ? '' : `&outcome=${outcome}`;
    const all: ImportRow[] = [];
    for (let page = 1; ; page++) {
      const { body } = await this.api('get', `/${id}/rows?limit=100&page=${page}${filter}`).expect(200);
      all.push(...body.data);
      if (!body.pagination.hasNextPage) return all;
    }
  }

  /** Returns all links of the project by their paths. */
  async links(): Promise<Record<string, Record<string, unknown>>> {
    const found: Record<string, Record<string, unknown>> = {};
    for (let page = 1; ; page++) {
      const path = `/projects/${this.projectId}/links?archived=any&limit=100&sortOrder=asc&page=${page}`;
      const { body } = await this.on.api('get', path, this.account.key).expect(200);
      for (const link of body.data) found[link.custom_path] = link;
      if (!body.pagination.hasNextPage) return found;
    }
  }
}

/** Imports into a new project of each test. */
export const importsOfEach = (on: TestService, account: TestAccount): ImportRequests =>
  fixtureOfEach(async () => new ImportRequests(on, account, (await aProject(on, account.key)).id));
