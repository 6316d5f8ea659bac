import { aDynamicLink, aProject, type ProjectBody } from '../../support/builders';
import { createDatabase, type TestDatabase } from '../../support/database';
import { aService, type TestService } from '../../support/service';

let database: TestDatabase;
let api: TestService;
let traffic: TestService;
let key: string;
let project: ProjectBody;
beforeAll(async () => {
  database = await createDatabase();
  api = await aService({ ROLE: 'api' }, database);
  traffic = await aService({ ROLE: 'traffic' }, database);
  key = (await api.anAccount()).key;
  project = await aProject(api, key);
  await aDynamicLink(api, key, project.id, { custom_path: 'sale', desktop_url: 'https://example.com/' });
});
afterAll(async () => {
  await api.stop();
  await traffic.stop();
  await database.drop();
});

test('each role answers its own part', async () => {
  await api.api('get', '/projects', key).expect(200);
  await traffic.visit(project.subdomain, '/sale').expect(302);
});

test('each role refuses the other part as misdirected (RFC 9110, section 15.5.20)', async () => {
  const answers = [await api.visit(project.subdomain, '/sale'), await traffic.api('get', '/projects', key)];
  for (const { status, body, headers } of answers) {
    expect([status, body.error.code]).toEqual([421, 'NOT_FOUND']);
    expect(headers['x-request-id']).toBeTruthy();
  }
});

test.each(['live', 'startup', 'ready'])('both roles answer /health/%s', async (check) => {
  for (const { url } of [api, traffic]) expect((await fetch(`${url}/health/${check}`)).status).toBe(200);
});
