import type { OpenedLink } from '../../../src/clicks/recording/click';
import { ClickUpkeep } from '../../../src/clicks/recording/click-upkeep';
import { newId } from '../../../src/shared/id';
import { aDynamicLink, aProject } from '../../support/builders';
import { aService, type TestService } from '../../support/service';
import { describeClickStore } from './click-store.contract';
import { aClick, anOpenedLink, batchOf, clicksOfRow, clicksOn } from './counting';
import { FakeClicks } from './fake-clicks';

let on: TestService;
let projectId: string;
let link: OpenedLink;
let clicks: ReturnType<typeof clicksOn>;
beforeAll(async () => {
  on = await aService();
  await on.service.app.get(ClickUpkeep).stop();
  const { key } = await on.anAccount('enterprise');
  projectId = (await aProject(on, key)).id;
  link = anOpenedLink({ id: (await aDynamicLink(on, key, projectId)).id });
  clicks = clicksOn(on.database);
});
afterAll(async () => {
  await clicks.close();
  await on.stop();
});

const written = async () => {
  const sum = `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS written FROM clicks`;
  return (await on.database.query<{ written: number }>(sum))[0]!.written;
};

describeClickStore('PostgreSQL', () => ({ port: clicks.repository, projectId, link, written }));

describeClickStore('the fake', () => {
  const port = new FakeClicks();
  return { port, projectId, link, written: async () => port.written };
});

test('PostgreSQL ignores a batch that is older than the last one of its writer', async () => {
  const writer = newId();
  const batch = batchOf([aClick({ at: Date.parse('2026-11-21T10:00:00Z'), projectId, link })]);
  await clicks.repository.record(writer, 2, batch);
  const before = await written();
  await clicks.repository.record(writer, 1, batch);
  expect(await written()).toBe(before);
});
