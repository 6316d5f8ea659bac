import { anIosApp, aProject } from '../../support/builders';
import { startImports } from '../../support/imports';
import { aService, type TestService } from '../../support/service';
import { ImportRequests, ndjson, none, type RowBody } from '../api/import-requests';

let on: TestService;
beforeAll(async () => {
  on = await aService();
  await startImports(on);
});
afterAll(() => on.stop());

test.each<[guard: string, query: string, outcome: string]>([
  ['refuse', '', 'refused'],
  ['refuse', '?acknowledge=1.2.2,1.2', 'refused'],
  ['refuse', '?acknowledge=1.2,1.2.3', 'replaced'],
  ['warn', '', 'replaced'],
  ['off', '', 'replaced'],
])(
  'a row that moves a link away from a released version, with release_guard %s %s: %s',
  async (guard, query, outcome) => {
    const account = await on.anAccount('enterprise');
    const { key } = account;
    const project = await aProject(on, key, { release_guard: guard });
    const [app, other] = [await anIosApp(on, key, project.id), await anIosApp(on, key, project.id)];
    await on
      .api('post', `/projects/${project.id}/ios-apps/${app.id}/releases`, key)
      .send({ version: '1.2.3', hosts: [`${project.subdomain}.localhost`] })
      .expect(201);
    const place = new ImportRequests(on, account, project.id);
    const row = { name: 'Shoe', custom_path: 'shoe' };
    await place.import([{ ...row, ios_app_id: app.id }]);
    const moved = [
      { ...row, ios_app_id: other.id },
      { name: 'Other', custom_path: 'other', ios_app_id: other.id },
    ];
    const { id } = await place.check(ndjson(moved), 'conflict=replace');
    await place.api('post', `/${id}/run${query}`).expect(202);
    expect((await place.done(id)).counts).toEqual({ ...none, created: 1, [outcome]: 1 });
    const rows = (await place.api('get', `/${id}/rows`).expect(200)).body.data as RowBody[];
    const reasons = rows.map(({ problems }) => problems.map(({ reason }) => reason).join());
    expect(reasons).toEqual([guard === 'off' ? '' : expect.stringContaining('people have installed: 1.2.3;'), '']);
  },
);
