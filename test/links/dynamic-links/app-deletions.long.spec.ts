import { setTimeout as sleep } from 'node:timers/promises';
import { aDynamicLink, anAndroidApp, anIosApp, type LinkBody } from '../../support/builders';
import { sample, scaled } from '../../support/scale';
import { accountFixture, serviceFixture, projectFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);

/** Starts the other work so many milliseconds after the first, or before it. With an infinite lead, one ends before the other starts. */
async function race<T, U>(leadMs: number, work: () => Promise<T>, other: () => Promise<U>): Promise<[T, U]> {
  if (leadMs === Infinity) return [await work(), await other()];
  if (leadMs === -Infinity) {
    const answer = await other();
    return [await work(), answer];
  }
  return Promise.all([sleep(Math.max(0, -leadMs)).then(work), sleep(Math.max(0, leadMs)).then(other)]);
}

describe.each([
  ['iOS app', 'ios_app_id', 'ios_apps', 'IOS_APP_NOT_FOUND', anIosApp],
  ['Android app', 'android_app_id', 'android_apps', 'ANDROID_APP_NOT_FOUND', anAndroidApp],
] as const)('%s', (appName, field, table, unknown, create) => {
  const anApp = () => create(on, account.key, project.id);
  const pathOf = (appId: string) => `/projects/${project.id}/${table.replace('_', '-')}/${appId}`;
  const deleteApp = (appId: string) => on.api('delete', pathOf(appId), account.key);
  const links = () => `/projects/${project.id}/links`;
  const put = (linkId: string, body: object) => on.api('put', `${links()}/${linkId}`, account.key).send(body);

  test.each([1, 5, 7])('the refusal states the number of links and the first five: %d', async (total) => {
    const app = await anApp();
    const made: LinkBody[] = [];
    for (let count = 0; count < total; count++)
      made.push(await aDynamicLink(on, account.key, project.id, { name: `Link ${count}`, [field]: app.id }));
    const first = made.slice(0, 5).map(({ id, name, custom_path }) => ({ id, name, custom_path }));
    const read = await on.api('get', pathOf(app.id), account.key);
    for (const headers of [{}, { 'If-Match': read.headers['etag']! }]) {
      const answer = await deleteApp(app.id).set(headers);
      expect(answer).toBeRefusedWith('LINKED_REFERENCES', { total, dynamic_links: first });
      const paths = first.map((link) => link.custom_path).join(', ');
      expect((answer.body as { error: { message: string } }).error.message).toBe(
        total === 1
          ? `1 dynamic link references this ${appName}: ${paths}; change its ${field} first, or delete it`
          : `${total} dynamic links reference this ${appName}: ${paths}${total === 7 ? ', and 2 more' : ''}; change their ${field} first, or delete them`,
      );
    }
  });

  test('a deletion and the removal of the last reference at the same time leave no wrong refusal', async () => {
    for (let round = 0; round < scaled(20); round++) {
      const app = await anApp();
      const link = await aDynamicLink(on, account.key, project.id, { [field]: app.id });
      const [deletion] = await Promise.all([deleteApp(app.id), put(link.id, { [field]: null })]);
      if (deletion.status !== 200) {
        const { id, name, custom_path } = link;
        const details = { total: 1, dynamic_links: [{ id, name, custom_path }] };
        expect(deletion).toBeRefusedWith('LINKED_REFERENCES', details);
      }
    }
  });

  test('a concurrent deletion fails, or the writes of links to the app fail', async () => {
    const outcomes = new Set<number>();
    // The writes start some milliseconds after the deletion, or before it. Without overlap, both outcomes occur on any machine.
    const leadsMs = [-Infinity, ...sample([0, 1, -1, 2, -2, 3, -3, 5, -5, 8, -8, 0, 0, 0], 0, 4), Infinity];
    for (const leadMs of Array.from({ length: scaled(2) }, () => leadsMs).flat()) {
      const app = await anApp();
      const existing = [
        await aDynamicLink(on, account.key, project.id),
        await aDynamicLink(on, account.key, project.id),
      ];
      const create = () => on.api('post', links(), account.key).send({ name: 'Racing', [field]: app.id });
      const [deletion, writes] = await race(
        leadMs,
        async () => deleteApp(app.id),
        () => Promise.all([create(), create(), create(), ...existing.map(({ id }) => put(id, { [field]: app.id }))]),
      );
      outcomes.add(deletion.status);
      if (deletion.status === 200) {
        for (const write of writes) expect(write).toBeRefusedWith(unknown);
      } else {
        expect(deletion).toBeRefusedWith('LINKED_REFERENCES');
        expect(writes.map(({ status }) => status).sort()).toEqual([200, 200, 201, 201, 201]);
      }
    }
    expect([...outcomes].sort()).toEqual([200, 409]);
    const dangling = await on.database.query(
      `SELECT id FROM dynamic_links link WHERE ${field} IS NOT NULL
       AND NOT EXISTS (SELECT FROM ${table} app WHERE app.project_id = link.project_id AND app.id = link.${field})`,
    );
    expect(dangling).toEqual([]);
  });
});
