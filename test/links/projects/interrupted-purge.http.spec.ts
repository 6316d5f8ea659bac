import { ProjectPurge } from '../../../src/links/projects/project-purge';
import { aDynamicLink, aProject } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { aService, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('the next sweep deletes the rows that a crash left of a deleted project, and no others', async () => {
  const { key } = await on.anAccount();
  const deleted = await aProject(on, key);
  const other = await aProject(on, key);
  await aDynamicLink(on, key, deleted.id);
  await aDynamicLink(on, key, other.id);
  const before = await rowsOf(on, other.id);
  // A process that crashes right after its commit leaves this state.
  await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted.id]);
  expect((await rowsOf(on, deleted.id))['dynamic_links']).toBe(1);

  await on.service.app.get(ProjectPurge).sweep();

  expect(Object.values(await rowsOf(on, deleted.id)).every((count) => count === 0)).toBe(true);
  expect(await rowsOf(on, other.id)).toEqual(before);
});
