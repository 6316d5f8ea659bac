import { type ListStep, ReadLater } from '../../../src/imports/apis/import-api-client';
import type { ApiChoice } from '../../../src/imports/apis/import-api';
import { importApis } from '../../../src/imports/apis/import-apis';
import type { ListProgress } from '../../../src/imports/apis/list-progress';
import { sample } from '../../support/scale';
import {
  bitly,
  dub,
  kutt,
  many,
  OtherSystems,
  rebrandly,
  shlink,
  shortIo,
  status,
  type System,
  token,
  yourls,
} from './other-systems';
import { fixture } from '../../support/fixtures';

const systems = fixture(() => OtherSystems.start());

type Stored = string | null;

/** Reads one step by a client without memory, from progress as a table stores it. */
async function stepOf(source: string, stored: Stored, choice: ApiChoice, url: string | null): Promise<ListStep> {
  const list = { api: importApis.get(source)!, token, url, choice };
  const progress = stored === null ? null : (JSON.parse(stored) as ListProgress);
  return systems.client().readPage(list, progress, new AbortController().signal);
}

/** Reads a list from its progress on, and returns each step with the progress after it. */
async function stepsOf(source: string, choice: ApiChoice = {}, url: string | null = null, from: Stored = null) {
  const steps: { records: ListStep['records']; stored: Stored }[] = [];
  let stored = from;
  for (let attempts = 0; attempts === 0 || stored !== null; attempts++) {
    if (attempts === 300) throw new Error('The list has no end');
    try {
      const { records, progress } = await stepOf(source, stored, choice, url);
      stored = progress && JSON.stringify(progress);
      steps.push({ records, stored });
    } catch (error) {
      if (!(error instanceof ReadLater)) throw error;
      stored = JSON.stringify(error.progress);
    }
  }
  return steps;
}

/** Returns the keys of the links of a list, in its order. */
async function keysOf(source: string, key: string, choice?: ApiChoice, url?: string): Promise<unknown[]> {
  const steps = await stepsOf(source, choice, url);
  return steps.flatMap(({ records }) => records.map((record) => record[key]));
}

const links = (prefix: string, count: number, fields: object = {}): Record<string, unknown>[] =>
  many(count, (at) => ({ id: `${prefix}-${at}`, ...fields }));

describe.each<[source: string, host: string, system: System, records: number, url: string | null]>([
  ['bitly', 'api-ssl.bitly.com', bitly({ Bone: links('a', 201), Bempty: [], Btwo: links('b', 3) }), 204, null],
  [
    'dub',
    'api.dub.co',
    dub(
      [...links('a', 201), ...links('b', 101, { folderId: 'fold_1' })],
      ['fold_1', 'fold_2'].map((id) => ({ id, type: 'default' })),
    ),
    302,
    null,
  ],
  [
    'short-io',
    'api.short.io',
    shortIo({ 'a.example.com': links('a', 301), 'b.example.com': links('b', 2) }),
    303,
    null,
  ],
  [
    'rebrandly',
    'api.rebrandly.com',
    rebrandly([...links('a', 51), ...links('b', 2, { workspace: 'w2' })], ['w1', 'w2', 'w3']),
    53,
    null,
  ],
  [
    'shlink',
    'shlink.example.com',
    shlink(
      many(201, (at) => ({ shortCode: `a-${at}`, hasRedirectRules: at > 50 && at < 85 })),
      Object.fromEntries(many(100, (at) => [`a-${at}`, [{ longUrl: `https://shop.example.com/${at}` }]])),
    ),
    201,
    'https://shlink.example.com',
  ],
  ['kutt', 'kutt.example.com', kutt(links('a', 101)), 101, 'https://kutt.example.com/links'],
  [
    'yourls',
    'yourls.example.com',
    yourls(many(1001, (at) => ({ shorturl: `https://go.example.com/${at}` }))),
    1001,
    'https://yourls.example.com',
  ],
])('the list of %s', (source, host, system, count, url) => {
  const recordsOf = (steps: readonly { records: ListStep['records'] }[]) => steps.flatMap(({ records }) => records);

  /** Returns a step without the bytes, of which another attempt receives some again. */
  const positionOf = ({ records, stored }: Awaited<ReturnType<typeof stepsOf>>[number]) => ({
    records,
    progress: stored && { ...JSON.parse(stored), bytes: 0 },
  });

  test('is the same from each of its positions on', async () => {
    systems.set(host, system);
    const steps = await stepsOf(source, {}, url);
    const all = recordsOf(steps);
    expect(new Set(all.map((record) => JSON.stringify(record))).size).toBe(count);
    expect(all).toHaveLength(count);
    expect(steps.length).toBeGreaterThan(2);
    for (const [at, { stored }] of sample([...steps.slice(0, -1).entries()], 0, 3)) {
      expect(stored!.length).toBeLessThan(20_000);
      expect(recordsOf(await stepsOf(source, {}, url, stored))).toEqual(recordsOf(steps.slice(at + 1)));
    }
  });

  test('is the same if the system limits requests', async () => {
    systems.set(host, system);
    const steps = await stepsOf(source, {}, url);
    // A step has no more questions than a system answers between two limits.
    let asked = 0;
    systems.set(host, (question) => (asked++ % 12 === 0 ? status(429) : system(question)));
    expect((await stepsOf(source, {}, url)).map(positionOf)).toEqual(steps.map(positionOf));
  });
});

test('short URLs of Shlink have their redirect rules, also those of a step in the middle of a page', async () => {
  const rules = Object.fromEntries(many(101, (at) => [`a-${at}`, [{ longUrl: `https://shop.example.com/${at}` }]]));
  const all = Object.keys(rules).map((shortCode, at) => ({ shortCode, hasRedirectRules: at % 3 === 0 }));
  systems.set('shlink.example.com', shlink(all, rules));
  const steps = await stepsOf('shlink', {}, 'https://shlink.example.com');
  expect(steps.flatMap(({ records }) => records)).toEqual(
    all.map((link) => (link.hasRedirectRules ? { ...link, redirectRules: rules[link.shortCode] } : link)),
  );
});

test('a list of Shlink is complete although the time of its newest short URL is not known', async () => {
  const times = ['2024-05-01T14:00:00+02:00', null, '2024-05-02T14:00:00+02:00', null];
  systems.set('shlink.example.com', shlink(times.map((dateCreated, shortCode) => ({ shortCode, dateCreated }))));
  expect(await keysOf('shlink', 'shortCode', {}, 'https://shlink.example.com')).toEqual([0, 1, 2, 3]);
});

test('a link of YOURLS may not come again on the next page', async () => {
  const read = (at: number) => {
    const all = many(1002, (link) => ({ shorturl: link === at ? 'twice' : link === 499 ? 'twice' : String(link) }));
    systems.set('yourls.example.com', yourls(all));
    return keysOf('yourls', 'shorturl', {}, 'https://yourls.example.com');
  };
  for (const at of [498, 500, 999])
    await expect(read(at)).rejects.toMatchObject({ message: expect.stringMatching(/lists a link more than once/) });
  expect(await read(499)).toHaveLength(1002);
});

describe('the list of Dub', () => {
  const link = (key: string, folderId: string | null = null, domain = 'go.example.com') => ({
    key,
    folderId,
    domain,
    createdAt: '2024-05-01T12:00:00.000Z',
  });
  const read = (system: System, choice?: ApiChoice) => {
    systems.set('api.dub.co', system);
    return keysOf('dub', 'key', choice);
  };
  const folders = many(51, (at) => ({ id: `fold_${at}`, type: 'default' as const }));
  const mega = { id: 'fold_mega', type: 'mega' as const };

  test('has the links in folders, which come in pages', async () => {
    const inFolder = many(120, (at) => link(`last-${at}`, 'fold_50'));
    const keys = await read(dub([link('a'), link('b', 'fold_0'), ...inFolder], folders));
    expect(keys).toEqual(['a', 'b', ...inFolder.map(({ key }) => key)]);
  });

  test('has each link of a domain once', async () => {
    const links = [link('a'), link('b', 'fold_0'), link('c', mega.id), link('d', 'fold_1', 'go.example.org')];
    const keys = await read(dub(links, [...folders, mega]), { domain: 'go.example.com' });
    expect(keys).toEqual(['a', 'b', 'c']);
  });

  test('is read without folders if the plan has none', async () => {
    expect(await read(dub([link('a'), link('b')], null))).toEqual(['a', 'b']);
  });

  test('is not read if the key may not list folders that have links', async () => {
    const links = [link('a'), link('b', 'fold_0')];
    await expect(read(dub(links, null, folders))).rejects.toMatchObject({
      fault: 'token_refused',
      message:
        'Dub does not list its folders to this key, although links are in folders; allow the key to read folders, or import a file',
    });
  });

  test('is not read if the token is wrong', async () => {
    await expect(read(() => dub([])({ ...systems.asked[0]!, headers: {} }))).rejects.toMatchObject({
      fault: 'token_refused',
      message: expect.stringMatching(/^Dub has answered with the status 403; check the token/),
    });
  });

  test('is incomplete if a link moves to a folder that was read before', async () => {
    const links = [link('a', 'fold_0'), ...many(3, (at) => link(`b-${at}`, 'fold_1'))];
    const system: System = (asked) => {
      if (asked.path === '/links' && asked.query.get('folderId') === 'fold_1') links[1]!.folderId = 'fold_0';
      return dub(links, folders)(asked);
    };
    await expect(read(system)).rejects.toMatchObject({ fault: 'incomplete_list' });
  });
});

describe('the list of Rebrandly', () => {
  const workspaces = many(30, (at) => `workspace-${at}`);
  const links = [
    { id: 'a' },
    ...many(26, (at) => ({ id: `b-${at}`, workspace: 'workspace-1' })),
    { id: 'c', workspace: 'workspace-29' },
  ];

  test('has the links of all workspaces, which come in pages', async () => {
    systems.set('api.rebrandly.com', rebrandly(links, workspaces));
    expect(await keysOf('rebrandly', 'id')).toEqual(links.map(({ id }) => id));
  });

  test('has the links of one workspace', async () => {
    systems.set('api.rebrandly.com', rebrandly(links, workspaces));
    expect(await keysOf('rebrandly', 'id', { workspace: 'workspace-29' })).toEqual(['c']);
    expect(systems.asked.map(({ path }) => path)).toEqual(['/v1/links']);
  });

  test('is not read if the id of a workspace cannot be a header', async () => {
    systems.set('api.rebrandly.com', rebrandly(links, ['w\r\nHost: x']));
    await expect(keysOf('rebrandly', 'id')).rejects.toMatchObject({ fault: 'strange_answer' });
  });

  test('ends if the workspaces have no further page', async () => {
    const all = rebrandly(links, workspaces.slice(0, 25));
    systems.set('api.rebrandly.com', (asked) => {
      if (asked.path === '/v1/workspaces') asked.query.delete('last');
      return all(asked);
    });
    expect(await keysOf('rebrandly', 'id')).toEqual(links.slice(0, -1).map(({ id }) => id));
  });
});
