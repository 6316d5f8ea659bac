import { setTimeout as delay } from 'node:timers/promises';
import { scaled } from '../support/scale';
import { useInstallation } from './installation';

// Changes of links while their service is killed. The journal, replayed from its first entry, must give the links that exist.
jest.setTimeout(3_600_000);

const changes = Number(process.env['KILLED_CHANGES'] ?? scaled(10_000));

const on = useInstallation('changed');

interface Entry {
  action: string;
  changed: { id: string; before: object | null; after: object | null }[];
}

test('the journal has exactly the changes that were made, although the service is killed three times', async () => {
  let done = 0;
  const client = async (_: unknown, number: number) => {
    let id: string | null = null;
    for (let at = 0; done < changes; at++) {
      const method: string = id === null ? 'POST' : at % 5 === 4 ? 'DELETE' : 'PUT';
      const body = method !== 'DELETE' && { body: { name: `Link ${number} ${at}` } };
      const path = id === null ? on.links : `${on.links}/${id}`;
      const answer = await on.service.ask(path, { method, key: on.key, ...body });
      // After a kill, nobody knows whether the change was made.
      if (answer.status === 0) await delay(20);
      else done++;
      if (method === 'POST') id = answer.status === 201 ? String(answer.json.data['id']) : null;
      else if (method === 'DELETE' || answer.status === 404) id = null;
    }
  };
  await on.killDuring(Promise.all(Array.from({ length: 20 }, client)), 3, () => done / changes);
  await on.service.stop();
  while ((await on.cluster.query<{ sealed: number }>('SELECT seal_journal(5000) AS sealed'))[0]!.sealed > 0);
  const entries = await on.cluster.query<Entry>(
    `SELECT split_part(type, '.', 2) AS action, coalesce(rows, jsonb_build_array(
       jsonb_build_object('id', resource_id, 'before', before, 'after', after))) AS changed
     FROM journal WHERE account_id = '${on.account.account.id}' AND starts_with(type, 'link.') ORDER BY sequence`,
  );
  const replayed = new Map<string, object>();
  for (const { action, changed } of entries)
    for (const { id, before, after } of changed) {
      if (action !== 'created') expect(replayed.get(id)).toMatchObject(before!);
      if (action === 'deleted') replayed.delete(id);
      else replayed.set(id, { ...replayed.get(id), ...after });
    }
  const stored = await on.cluster.query<{ id: string; link: object }>(
    `SELECT id, jsonb_strip_nulls(to_jsonb(t) - '{search_text,updated_at,deleted_at,used_up}'::text[]) AS link FROM dynamic_links t`,
  );
  expect(entries.length).toBeGreaterThanOrEqual(changes);
  expect(Object.fromEntries(replayed)).toEqual(Object.fromEntries(stored.map(({ id, link }) => [id, link])));
});
