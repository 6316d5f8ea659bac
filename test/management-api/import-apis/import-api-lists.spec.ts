import { ImportApiClient } from '../../../src/management-api/import-apis/import-api-client';
import type { ApiChoice } from '../../../src/management-api/import-apis/import-api';
import { importApis } from '../../../src/management-api/import-apis/import-apis';
import { HostAddresses } from '../../../src/platform/outbound/host-addresses';
import { dub, OtherSystems, rebrandly, type System, token } from './other-systems';

class LoopbackAddresses extends HostAddresses {
  addressesOf(): Promise<string[]> {
    return Promise.resolve(['127.0.0.1']);
  }
}

let systems: OtherSystems;
let client: ImportApiClient;
beforeAll(async () => {
  systems = await OtherSystems.start();
  const { port, caCertificates } = systems;
  client = new ImportApiClient(
    new LoopbackAddresses(),
    { allowPrivateAddresses: true },
    { now: () => Date.now() },
    {
      port,
      caCertificates,
    },
  );
});
afterAll(() => systems.stop());

/** Returns the keys of the links of a list, in its order. */
async function keysOf(source: string, key: string, choice: ApiChoice = {}): Promise<unknown[]> {
  const api = importApis.get(source)!;
  const keys: unknown[] = [];
  const pages = client.pages({ api, token, url: null, choice }, new AbortController().signal, () => Promise.resolve());
  for await (const { records } of pages) keys.push(...records.map((record) => record[key]));
  return keys;
}

const many = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));

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
