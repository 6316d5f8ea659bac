import type { OpenedLink } from '../../src/clicks/click';
import type { ClickRepository } from '../../src/clicks/click.repository';
import { ClickUpkeep } from '../../src/clicks/click-upkeep';
import { newId } from '../../src/shared/id';
import { aDynamicLink, aProject } from '../support/builders';
import { aService, type TestService } from '../support/service';
import { aClick, anOpenedLink, batchOf, clicksOfRow, clicksOn } from './counting';
import { FakeClicks } from './fake-clicks';

/** The promises of the port to the recorder, which PostgreSQL's adapter and the fake both keep. */
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

interface Subject {
  port: Pick<ClickRepository, 'record'>;
  /** How many clicks are stored, of all batches so far. */
  written: () => Promise<number>;
}

function postgresql(): Subject {
  const sum = `SELECT coalesce(sum(${clicksOfRow}), 0)::int AS written FROM clicks`;
  return {
    port: clicks.repository,
    written: async () => (await on.database.query<{ written: number }>(sum))[0]!.written,
  };
}

function fake(): Subject {
  const port = new FakeClicks();
  return { port, written: async () => port.written };
}

const some = (count: number) =>
  batchOf(
    Array.from({ length: count }, (_, number) =>
      aClick({ at: Date.parse('2026-11-21T10:00:00Z') + number, projectId, link }),
    ),
  );

describe.each([
  ['PostgreSQL', postgresql],
  ['the fake', fake],
])('%s', (_, make) => {
  let subject: Subject;
  beforeAll(() => (subject = make()));

  /** How many clicks more are stored after the work. */
  async function added(work: () => Promise<unknown>): Promise<number> {
    const before = await subject.written();
    await work();
    return (await subject.written()) - before;
  }

  test('stores a batch once, however often it is sent', async () => {
    const [writer, batch] = [newId(), some(10)];
    expect(await added(() => subject.port.record(writer, 1, batch))).toBe(10);
    expect(await added(() => subject.port.record(writer, 1, batch))).toBe(0);
  });

  test('stores the next batch of a writer, and no older one', async () => {
    const writer = newId();
    expect(await added(() => subject.port.record(writer, 2, some(3)))).toBe(3);
    expect(await added(() => subject.port.record(writer, 1, some(5)))).toBe(0);
    expect(await added(() => subject.port.record(writer, 3, some(7)))).toBe(7);
  });

  test('stores the same number of two writers', async () => {
    expect(await added(() => subject.port.record(newId(), 1, some(2)))).toBe(2);
    expect(await added(() => subject.port.record(newId(), 1, some(3)))).toBe(3);
  });
});
