import { ChangeListener } from '../../../src/platform/change-notifications/change-listener';
import { aDynamicLink, aProject, aVerifiedDomain, type ProjectBody, unique } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { accountFixture, dnsFixture, serviceFixture } from '../../support/fixtures';
import type { TestService } from '../../support/service';

const dns = dnsFixture();
/** Receives no notifications, so that its own writes alone decide what it shows. */
const writer = serviceFixture(() => ({ DNS_RESOLVERS: dns.address }));
const replica = serviceFixture({}, () => writer.database);
const deafReplica = serviceFixture({}, () => writer.database);
beforeAll(async () => {
  for (const { service } of [writer, deafReplica]) await service.app.get(ChangeListener).stop();
});
const account = accountFixture(writer);

interface Change {
  make(): Promise<unknown>;
  /** The host name of the project's links afterwards; null if the project is gone. */
  expected: string | null;
}

const pathOf = ({ id }: ProjectBody, more = '') => `/projects/${id}${more}`;
const put = (path: string, body: object) => writer.api('put', path, account.key).send(body).expect(200);
const remove = (path: string) => writer.api('delete', path, account.key).expect(200);
const aDomain = (project: ProjectBody, active: boolean) =>
  aVerifiedDomain(writer, dns, account.key, project.id, { active });

const changes: [name: string, aChange: (project: ProjectBody) => Promise<Change>][] = [
  [
    'a rename',
    async (project) => {
      const subdomain = unique('renamed');
      return { make: () => put(pathOf(project), { subdomain }), expected: `${subdomain}.localhost` };
    },
  ],
  ['a deletion', async (project) => ({ make: () => remove(pathOf(project)), expected: null })],
  [
    'the activation of a custom domain',
    async (project) => {
      const { id, hostname } = await aDomain(project, false);
      return { make: () => put(pathOf(project, `/custom-domains/${id}`), { active: true }), expected: hostname };
    },
  ],
  [
    'the removal of the active custom domain',
    async (project) => {
      const path = pathOf(project, `/custom-domains/${(await aDomain(project, true)).id}`);
      return { make: () => remove(path), expected: `${project.subdomain}.localhost` };
    },
  ],
];

async function aLinkedProject(): Promise<ProjectBody> {
  const project = await aProject(writer, account.key);
  await aDynamicLink(writer, account.key, project.id);
  return project;
}

/** Returns the host name of the project's links; null if the project is not found. */
async function linkHost(service: TestService, { id }: ProjectBody): Promise<string | null> {
  const { status, body } = await service.api('get', `/projects/${id}/links`, account.key);
  if (status === 404) return null;
  expect(status).toBe(200);
  const [link] = (body as { data: { full_url: string }[] }).data;
  return link ? new URL(link.full_url).hostname : 'no links';
}

test.each(changes)('the process that makes %s shows it at once, whatever it reads meanwhile', async (_, aChange) => {
  const project = await aLinkedProject();
  const { make, expected } = await aChange(project);
  expect(await linkHost(writer, project)).not.toBe(expected);
  let made = false;
  const reader = async () => {
    while (!made) await linkHost(writer, project);
  };
  const readers = [reader(), reader(), reader()];
  await make();
  const seen = await linkHost(writer, project);
  made = true;
  await Promise.all(readers);
  expect(seen).toBe(expected);
  expect(await linkHost(writer, project)).toBe(expected);
});

test.each(changes)('other processes show %s, with notifications and without', async (_, aChange) => {
  const project = await aLinkedProject();
  const { make, expected } = await aChange(project);
  for (const service of [replica, deafReplica]) expect(await linkHost(service, project)).not.toBe(expected);
  await make();
  for (const service of [replica, deafReplica])
    await eventually(async () => (await linkHost(service, project)) === expected);
});
