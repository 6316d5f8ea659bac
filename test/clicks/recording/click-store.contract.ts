import { newId } from '../../../src/shared/id';
import type { PgClickRepository } from '../../../src/clicks/recording/pg-click.repository';
import type { OpenedLink } from '../../../src/clicks/recording/click';
import { aClick, batchOf } from './counting';

/** A store of clicks, with a project that has a link. */
export interface ClickStore {
  port: Pick<PgClickRepository, 'record'>;
  projectId: string;
  link: OpenedLink;
  /** How many clicks are stored, of all batches so far. */
  written: () => Promise<number>;
}

/** Describes the promises of the port to the recorder, which all adapters and the fake keep. */
export function describeClickStore(name: string, open: () => ClickStore): void {
  describe(`${name} as a store of clicks`, () => {
    let store: ClickStore;
    beforeAll(() => (store = open()));

    const some = (count: number, at = '2026-11-21T10:00:00Z') =>
      batchOf(
        Array.from({ length: count }, (_, number) =>
          aClick({ at: Date.parse(at) + number, projectId: store.projectId, link: store.link }),
        ),
      );

    /** Returns how many clicks the work adds. */
    async function added(work: () => Promise<unknown>): Promise<number> {
      const before = await store.written();
      await work();
      return (await store.written()) - before;
    }

    test('stores a batch once, however often it is sent', async () => {
      const [writer, batch] = [newId(), some(10)];
      expect(await added(() => store.port.record(writer, 1, batch))).toBe(10);
      expect(await added(() => store.port.record(writer, 1, batch))).toBe(0);
    });

    test('stores a batch once if it is sent several times at once', async () => {
      const [writer, batch] = [newId(), some(10)];
      const send = () => Promise.all(Array.from({ length: 4 }, () => store.port.record(writer, 1, batch)));
      expect(await added(send)).toBe(10);
    });

    test('stores the next batch of a writer, also with the same clicks', async () => {
      const writer = newId();
      expect(await added(() => store.port.record(writer, 1, some(3)))).toBe(3);
      expect(await added(() => store.port.record(writer, 2, some(3)))).toBe(3);
    });

    test('stores the same number of two writers', async () => {
      expect(await added(() => store.port.record(newId(), 1, some(2)))).toBe(2);
      expect(await added(() => store.port.record(newId(), 1, some(3)))).toBe(3);
    });

    test('stores a batch whose clicks are months apart once', async () => {
      const writer = newId();
      const batch = batchOf(
        ['2026-09-30T23:59:59.999Z', '2026-10-01T00:00:00Z', '2026-11-21T10:00:00Z'].map((at) =>
          aClick({ at: Date.parse(at), projectId: store.projectId, link: store.link }),
        ),
      );
      expect(await added(() => store.port.record(writer, 1, batch))).toBe(3);
      expect(await added(() => store.port.record(writer, 1, batch))).toBe(0);
    });
  });
}
