import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TagPurge } from '../../../src/management-api/tags/tag-purge';
import { foldTag } from '../../../src/management-api/tags/tag';
import { aDynamicLink, aProject, type LinkBody } from '../../support/builders';
import { aService, type TestAccount, type TestService } from '../../support/service';

const migration = readFileSync(join(__dirname, '../../../migrations/0050-fold-tags.sql'), 'utf8');
/** Folds as the release before the migration did. */
const formerFold = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

let on: TestService;
let account: TestAccount;
beforeAll(async () => {
  on = await aService();
  account = await on.anAccount('enterprise');
});
afterAll(() => on.stop());

/** Undoes the migration and lets a tag have the folded name that the former release stored. */
async function becomeFormer(names: Record<string, string>): Promise<void> {
  await on.database.query('DROP TRIGGER tags_fold_written ON tags; DROP FUNCTION fold_written_tag');
  for (const [stand, name] of Object.entries(names))
    await on.database.query('UPDATE tags SET name = $2, folded_name = $3 WHERE name = $1', [
      stand,
      name,
      formerFold(name),
    ]);
}

test('merges tags that become equal into the oldest, and keeps their links', async () => {
  const { id: projectId } = await aProject(on, account.key);
  const aLink = (tags: string[]) => aDynamicLink(on, account.key, projectId, { tags });
  const [older, newer, both] = [await aLink(['one']), await aLink(['two', 'other']), await aLink(['two', 'one'])];
  await aLink(['greek']);
  await becomeFormer({ one: 'Straße', two: 'STRAẞE', greek: 'ΐ' });
  await on.database.query(`BEGIN; ${migration}; COMMIT`);

  const tagsOf = async ({ id }: LinkBody): Promise<string[]> =>
    (await on.api('get', `/projects/${projectId}/links/${id}`, account.key).expect(200)).body.data.tags;
  const shown = async () => [await tagsOf(older), await tagsOf(newer), (await tagsOf(both)).toSorted()];
  const expected = [['Straße'], ['Straße', 'other'], ['Straße']];
  expect(await shown()).toEqual(expected);
  await on.service.app.get(TagPurge, { strict: false }).sweep();
  expect(await shown()).toEqual(expected);
  const { body } = await on.api('get', `/projects/${projectId}/links?tag=STRASSE`, account.key).expect(200);
  expect(body.data).toHaveLength(3);
  const stored = await on.database.query<{ name: string; folded_name: string }>(
    'SELECT name, folded_name FROM tags WHERE project_id = $1 AND retired_at IS NULL ORDER BY name',
    [projectId],
  );
  expect(stored.map(({ name }) => name).toSorted()).toEqual(['Straße', 'other', 'ΐ'].toSorted());
  for (const { name, folded_name } of stored) expect(folded_name).toBe(foldTag(name));
});

test('completes the folded name that the former release writes', async () => {
  const { id: projectId } = await aProject(on, account.key);
  for (const name of ['GROẞ', 'ΰ'])
    await on.database.query(
      'INSERT INTO tags (id, project_id, name, folded_name) VALUES (gen_random_uuid(), $1, $2, $3)',
      [projectId, name, formerFold(name)],
    );
  const link = await aDynamicLink(on, account.key, projectId, { tags: ['gross', 'ΰ'.normalize('NFD')] });
  expect(link.tags).toEqual(['GROẞ', 'ΰ']);
});
