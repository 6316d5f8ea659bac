import type { SignpostClient } from '../../../clients/typescript/src/index';
import { anAndroidApp, anIosApp, aProject } from '../../support/builders';
import { aClient } from '../../support/client';
import { aService, type TestAccount, type TestService } from '../../support/service';
import { statementsOf } from '../../support/statements';

let on: TestService;
let account: TestAccount;
let client: SignpostClient;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
  client = aClient(on, account.key);
});
afterAll(() => on.stop());

test('a list takes one SQL statement for any number of links', async () => {
  const large = (await aProject(on, account.key)).id;
  for (let at = 0; at < 5; at++) {
    const app = await anIosApp(on, account.key, large);
    const other = await anAndroidApp(on, account.key, large);
    await on.database.query(
      `INSERT INTO dynamic_links (id, project_id, name, custom_path, ios_app_id, android_app_id)
       SELECT gen_random_uuid(), $1, 'Link', $2 || n, $3, $4 FROM generate_series(1, 20) n`,
      [large, `path-${at}-`, app.id, other.id],
    );
  }
  const page = (limit: number) =>
    client.GET('/projects/{projectId}/links', { params: { path: { projectId: large }, query: { limit } } });
  let hundred: Awaited<ReturnType<typeof page>> | undefined;
  const forOne = await statementsOf(on, () => page(1));
  const forHundred = await statementsOf(on, async () => (hundred = await page(100)));
  expect(hundred!.data!.data.filter((link) => link.ios_apps && link.android_apps)).toHaveLength(100);
  expect([forOne.length, forHundred.length]).toEqual([1, 1]);
});
