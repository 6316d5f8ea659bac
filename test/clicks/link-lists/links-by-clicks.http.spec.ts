import type { components } from '../../../clients/typescript/src/index';
import { PgLinkClickRepository } from '../../../src/clicks/link-lists/pg-link-click.repository';
import { aClick, anOpenedLink, clicksOn } from '../recording/counting';
import { aDynamicLink } from '../../support/builders';
import { accountFixture, projectFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);
const ids: Record<string, string> = {};

const day = 24 * 60 * 60_000;

/** Clicks of the links by their age in days: in fresh batches, and in sums. */
const recorded: Record<string, number[]> = { often: [1, 2, 3, 40], once: [5], former: [50, 60, 70], archived: [1, 1] };

beforeAll(async () => {
  for (const name of ['never', 'often', 'once', 'former', 'archived']) {
    const fields = { name, custom_path: name, archived: name === 'archived', tags: name === 'once' ? [] : ['Tagged'] };
    ids[name] = (await aDynamicLink(on, account.key, project.id, fields)).id;
  }
  const clicks = clicksOn(on.database);
  const click = (name: string, age: number, robot = false) =>
    aClick({
      at: Date.now() - age * day,
      projectId: project.id,
      link: anOpenedLink({ id: ids[name]! }),
      client: { platform: 'desktop', browser: 'Chrome', robot },
    });
  await clicks.write(Object.entries(recorded).flatMap(([name, ages]) => ages.map((age) => click(name, age))));
  await clicks.write(Array.from({ length: 9 }, () => click('once', 1, true)));
  await clicks.close();
});

type Page = components['schemas']['DynamicLinkPage'];

async function list(query: string): Promise<Page> {
  const answer = await on.api('get', `/projects/${project.id}/links?${query}`, account.key).expect(200);
  return answer.body as Page;
}
const names = async (query: string): Promise<string[]> => (await list(query)).data.map(({ name }) => name);

test.each([
  ['sortBy=clicks', ['often', 'once', 'former', 'never']],
  ['sortBy=clicks_total', ['often', 'former', 'once', 'never']],
  ['sortBy=clicks_total&sortOrder=asc', ['never', 'once', 'former', 'often']],
  ['sortBy=clicks&archived=any', ['often', 'archived', 'once', 'former', 'never']],
  ['sortBy=clicks&archived=true', ['archived']],
  ['sortBy=clicks&tag=Tagged', ['often', 'former', 'never']],
  ['sortBy=clicks&exclude_tag=Tagged', ['once']],
  ['sortBy=clicks&tag=Unknown', []],
  ['sortBy=clicks_total&search=f', ['often', 'former']],
  ['sortBy=clicks&limit=2&page=2', ['former', 'never']],
  ['sortBy=clicks&limit=2&page=3', []],
])('%s lists %j', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

test('the total is that of all pages', async () => {
  expect((await list('sortBy=clicks&limit=2&page=3')).pagination).toMatchObject({ total: 4, totalPages: 2 });
});

test('links have their clicks on request, without robots', async () => {
  const { data } = await list('include=clicks&archived=any&sortBy=name&sortOrder=asc');
  expect(data.map(({ name, clicks, clicks_total }) => [name, clicks, clicks_total])).toEqual([
    ['archived', 2, 2],
    ['former', 0, 3],
    ['never', 0, 0],
    ['often', 3, 4],
    ['once', 1, 1],
  ]);
  const [item] = (await list('limit=1')).data;
  expect(item).not.toHaveProperty('clicks');
});

test('sums by days and quarters count the same', async () => {
  const clicks = clicksOn(on.database);
  await clicks.rollUpAll();
  await clicks.close();
  expect(await names('sortBy=clicks_total')).toEqual(['often', 'former', 'once', 'never']);
  expect((await list('include=clicks&search=often')).data).toMatchObject([{ clicks: 3, clicks_total: 4 }]);
});

test('more links with clicks than can be sorted are too expensive', async () => {
  // So many links would take minutes to create.
  const count = jest.spyOn(PgLinkClickRepository.prototype, 'count');
  count.mockImplementation((_, __, ___, limit) =>
    Promise.resolve(new Map(Array.from({ length: limit }, (____, at) => [String(at), 1]))),
  );
  const answer = await on.api('get', `/projects/${project.id}/links?sortBy=clicks`, account.key);
  count.mockRestore();
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({ error: { details: { reason: 'too_expensive' } } });
});
