import { aProject } from '../../support/builders';
import { startImports } from '../../support/imports';
import { rowsRead } from '../../support/rows-read';
import { aService, type TestService } from '../../support/service';
import { ImportRequests, ndjson } from './import-requests';

let on: TestService;
let imports: ImportRequests;
beforeAll(async () => {
  on = await aService();
  await startImports(on);
  const account = await on.anAccount('enterprise');
  imports = new ImportRequests(on, account, (await aProject(on, account.key)).id);
});
afterAll(() => on.stop());

test('each batch of a run reads its own rows, whatever the size of the file', async () => {
  const count = 2000;
  const { id } = await imports.check(
    ndjson(Array.from({ length: count }, (_, at) => ({ name: 'Many', custom_path: `many-${at}` }))),
  );
  const run = async (): Promise<void> => {
    expect(await imports.run(id)).toMatchObject({ state: 'completed', counts: { created: count } });
  };
  expect(await rowsRead(on, run, [`rows_${id.replaceAll('-', '')}`])).toBeLessThan(6 * count);
});
