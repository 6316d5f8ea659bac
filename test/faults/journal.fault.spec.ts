import { setTimeout as delay } from 'node:timers/promises';
import { Cluster } from '../support/cluster';
import { anAccountByShell, endAllPrograms, Program } from '../support/process';
import { scaled } from '../support/scale';

// Changes of links while their service is killed. The journal, replayed from its first entry, must give the links that exist.
jest.setTimeout(3_600_000);

const changes = Number(process.env['KILLED_CHANGES'] ?? scaled(10_000));
const kills = 3;
const clients = 20;

let cluster: Cluster;
let service: Program;
beforeAll(async () => {
  cluster = await Cluster.create();
  service = await Program.serving({ DATABASE_URL: cluster.url, RATE_LIMIT_PER_MINUTE: '1000000000' });
});
afterAll(async () => {
  await endAllPrograms();
  await cluster.remove();
});

interface Entry {
  action: string;
  changed: { id: string; before: object | null; after: object | null }[];
}

test('the journal has exactly the changes that were made, although the service is killed three times', async () => {
  const { account, api_key } = await anAccountByShell({ DATABASE_URL: cluster.url }, 'enterprise');
  const { key } = api_key;
  const created = await service.ask('/api/v1/projects', {
    method: 'POST',
    key,
    body: { name: 'Changed', subdomain: 'changed' },
  });
  const links = `/api/v1/projects/${String(created.json.data['id'])}/links`;
  let done = 0;
  const client = async (number: number) => {
    let id: string | null = null;
    for (let at = 0; done < changes; at++) {
      const kind = id === null ? 'create' : at % 5 === 4 ? 'delete' : 'update';
      const [method, path]: [string, string] =
        kind === 'create' ? ['POST', links] : [kind === 'delete' ? 'DELETE' : 'PUT', `${links}/${id}`];
      const body = kind === 'delete' ? undefined : { name: `Link ${number} ${at}` };
      const answer = await service.ask(path, { method, key, ...(body && { body }) });
      // After a kill, nobody knows whether the change was made.
      if (answer.status === 0) await delay(20);
      else done++;
      if (kind === 'create') id = answer.status === 201 ? String(answer.json.data['id']) : null;
      else if (kind === 'delete' || answer.status === 404) id = null;
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  for (let killed = 1; killed <= kills; killed++) {
    while (done < (killed * changes) / (kills + 1)) await delay(5);
    await service.kill();
    service = await Program.serving({ DATABASE_URL: cluster.url, RATE_LIMIT_PER_MINUTE: '1000000000' });
  }
  await working;
  await service.stop();
  while ((await cluster.query<{ sealed: number }>('SELECT seal_journal(5000) AS sealed'))[0]!.sealed > 0);
  const entries = await cluster.query<Entry>(
    `SELECT split_part(type, '.', 2) AS action, coalesce(rows, jsonb_build_array(
       jsonb_build_object('id', resource_id, 'before', before, 'after', after))) AS changed
     FROM journal WHERE account_id = '${account.id}' AND starts_with(type, 'link.') ORDER BY sequence`,
  );
  const replayed = new Map<string, object>();
  for (const { action, changed } of entries)
    for (const { id, before, after } of changed) {
      if (action !== 'created') expect(replayed.get(id)).toMatchObject(before!);
      if (action === 'deleted') replayed.delete(id);
      else replayed.set(id, { ...replayed.get(id), ...after });
    }
  const stored = await cluster.query<{ id: string; link: object }>(
    `SELECT id, jsonb_strip_nulls(to_jsonb(t) - '{search_text,updated_at,deleted_at}'::text[]) AS link FROM dynamic_links t`,
  );
  expect(entries.length).toBeGreaterThanOrEqual(changes);
  expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(stored.map(({ id, link }) => [id, link])));
});
