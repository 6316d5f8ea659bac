import { ProjectPurge } from '../../../src/management-api/projects/project-purge';
import { aDynamicLink, aProject } from '../../support/builders';
import { rowsOf } from '../../support/content';
import { aService, type TestService } from '../../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('what a crash left of a deleted project goes with the next sweep, and nothing else does', async () => {
  const { key } = await on.anAccount();
  const doomed = await aProject(on, key);
  const other = await aProject(on, key);
  await aDynamicLink(on, key, doomed.id);
  await aDynamicLink(on, key, other.id);
  const before = await rowsOf(on, other.id);
  // As far as a process gets that dies right after its commit.
  await on.database.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [doomed.id]);
  expect((await rowsOf(on, doomed.id))['dynamic_links']).toBe(1);

  await on.service.app.get(ProjectPurge).sweep();

  expect(Object.values(await rowsOf(on, doomed.id)).every((count) => count === 0)).toBe(true);
  expect(await rowsOf(on, other.id)).toEqual(before);
});
