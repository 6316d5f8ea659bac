import { streamTimes } from '../../src/management-api/live-feed/event-stream';
import { maxEventStreams } from '../../src/management-api/live-feed/event-stream.controller';
import type { CloudEvent } from '../../clients/typescript/src/index';
import { aDynamicLink, aProject } from '../support/builders';
import { until } from '../support/eventually';
import { serviceFixture, fixtureOfEach } from '../support/fixtures';

const on = serviceFixture();
beforeAll(() => void Object.assign(streamTimes, { maxMs: 60_000 }));
const account = fixtureOfEach(() => on.anAccount('enterprise'));
const project = fixtureOfEach(() => aProject(on, account.key));

/** A client of the stream. */
class Follower {
  text = '';
  readonly #end = new AbortController();

  static async start(project: string, lastEventId?: string): Promise<Follower> {
    const follower = new Follower();
    const response = await fetch(`${on.url}/api/v1/projects/${project}/events/stream`, {
      headers: {
        Authorization: `Bearer ${account.key}`,
        ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
      },
      signal: follower.#end.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    void follower.#read(response.body!);
    // The first block has the place where the stream begins.
    await until(() => /^id: \d+\n/.test(follower.text));
    return follower;
  }

  get events(): CloudEvent[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as CloudEvent);
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)\nevent:/gm)].map(([, id = '']) => id);
  }

  stop(): void {
    this.#end.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const bytes of body) this.text += decoder.decode(bytes, { stream: true });
    } catch {
      // The test has stopped it.
    }
  }
}

test('changes of the project arrive, in order, and those of other projects do not', async () => {
  const other = await aProject(on, account.key);
  const follower = await Follower.start(project.id);
  const link = await aDynamicLink(on, account.key, project.id, { name: 'Sale' });
  await aDynamicLink(on, account.key, other.id);
  await on.api('put', `/projects/${project.id}/links/${link.id}`, account.key).send({ name: 'Sold' }).expect(200);
  await until(() => follower.events.length === 2);
  follower.stop();
  expect(follower.events.map(({ type, subject }) => [type, subject])).toEqual([
    ['link.created', link.id],
    ['link.updated', link.id],
  ]);
  expect(follower.text).toMatch(/id: \d+\nevent: link\.created\ndata: \{/);
  expect(follower.text).not.toContain('address');
});

test('a client that connects again gets what it has missed', async () => {
  const first = await Follower.start(project.id);
  await aDynamicLink(on, account.key, project.id, { name: 'seen' });
  await until(() => first.ids.length === 1);
  first.stop();
  await aDynamicLink(on, account.key, project.id, { name: 'missed' });
  const second = await Follower.start(project.id, first.ids[0]);
  await until(() => second.events.length === 1);
  second.stop();
  expect(second.events[0]!.data.after).toMatchObject({ name: 'missed' });
});

test('a client that got its place, and no event, continues there', async () => {
  const first = await Follower.start(project.id);
  first.stop();
  await aDynamicLink(on, account.key, project.id, { name: 'between' });
  const second = await Follower.start(project.id, /^id: (\d+)/.exec(first.text)![1]);
  await until(() => second.events.length === 1);
  second.stop();
});

test('a number that the journal does not have, and a text, begin now', async () => {
  const followers = await Promise.all(['999999999', 'nonsense'].map((id) => Follower.start(project.id, id)));
  // Both have found their place.
  await new Promise((resolve) => setTimeout(resolve, 3 * streamTimes.lookIntervalMs));
  await aDynamicLink(on, account.key, project.id);
  for (const follower of followers) {
    await until(() => follower.events.length === 1);
    follower.stop();
  }
});

test('an account has a limited number of streams', async () => {
  const followers = await Promise.all(
    Array.from({ length: maxEventStreams.ofAccount }, () => Follower.start(project.id)),
  );
  await on.api('get', `/projects/${project.id}/events/stream`, account.key).expect(429);
  for (const follower of followers) follower.stop();
});
