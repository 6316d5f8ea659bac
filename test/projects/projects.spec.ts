import { aProject, unique } from '../support/builders';
import { aService, type TestService } from '../support/service';

let on: TestService;
beforeAll(async () => {
  on = await aService();
});
afterAll(() => on.stop());

test('a project is created, read, listed, changed and deleted', async () => {
  const { key, userId } = await on.anAccount();
  const subdomain = unique('whole');
  const created = await on.api('post', '/projects', key).send({ name: 'Whole', subdomain }).expect(201);
  const { id } = (created.body as { data: { id: string } }).data;
  expect(created.headers['location']).toBe(`http://localhost:3000/api/v1/projects/${id}`);
  expect(created.body).toEqual({
    data: { id, name: 'Whole', subdomain, user_id: userId, created_at: expect.any(String), updated_at: expect.any(String) },
  });
  expect((await on.api('get', `/projects/${id}`, key).expect(200)).body).toEqual(created.body);
  await aProject(on, key);
});
