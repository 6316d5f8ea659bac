import type { CustomDomain } from '../../../clients/typescript/src/index';
import { aProject, aVerifiedDomain, type ProjectBody } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { DnsServer } from '../../support/dns-server';
import { aService, type TestService } from '../../support/service';
import { rounds } from '../../support/scale';

let dns: DnsServer;
let on: TestService;
let key: string;
let project: ProjectBody;
beforeAll(async () => {
  dns = await DnsServer.start();
  on = await aService({ DNS_RESOLVERS: dns.address });
});
afterAll(async () => {
  await on.stop();
  await dns.stop();
});
beforeEach(async () => {
  ({ key } = await on.anAccount());
  project = await aProject(on, key);
});

const pathOf = ({ project_id, id }: CustomDomain): string => `/projects/${project_id}/custom-domains/${id}`;
const tagOf = async (path: string) => (await on.api('get', path, key).expect(200)).headers['etag']!;
const put = (path: string, tag: string, active: boolean) =>
  on.api('put', path, key).set('If-Match', tag).send({ active });

test('the ETag of a domain changes when another one becomes active', async () => {
  const first = pathOf(await aVerifiedDomain(on, dns, key, project.id, { active: true }));
  const second = pathOf(await aVerifiedDomain(on, dns, key, project.id));
  const tag = await tagOf(first);
  await put(second, await tagOf(second), true).expect(200);
  expect(await changingNothing(on, () => put(first, tag, true))).toBeRefusedWith('PRECONDITION_FAILED');
});

test.each(rounds(5))('concurrent updates with and without If-Match do not deadlock (round %d)', async () => {
  const paths: string[] = [];
  for (let made = 0; made < 3; made++) paths.push(pathOf(await aVerifiedDomain(on, dns, key, project.id)));
  const responses = await Promise.all([
    ...paths.flatMap((path) => [put(path, '*', true), put(path, '*', true)]),
    ...paths.map((path) => on.api('put', path, key).send({ active: true })),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
});
