import { brokenConstraint } from '../../platform/postgres/database-error';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { type LinkReferences, ReferencedByLinks } from './referenced-by-links';

const maxListedLinks = 5;

/** Attempts of a deletion whose last reference goes at the same time. */
const maxDeletionAttempts = 3;

/** A kind of resource that dynamic links of the project can reference. */
interface Referenced {
  noun: string;
  column: 'ios_app_id' | 'android_app_id' | 'template';
  constraint: string;
}

/**
 * Deletes by `remove` what links reference.
 * @param value the value of the column in links that reference it
 * @throws ReferencedByLinks if dynamic links do
 */
export async function deleteUnreferenced<T>(
  context: TransactionContext,
  { noun, column, constraint }: Referenced,
  projectId: string,
  value: string,
  remove: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.attempt(remove);
    } catch (error) {
      if (brokenConstraint(error) !== constraint) throw error;
      const references = await referencesOf(context, column, projectId, value);
      if (references.total > 0 || attempt === maxDeletionAttempts)
        throw new ReferencedByLinks(noun, column, references);
    }
  }
}

async function referencesOf(
  context: TransactionContext,
  column: Referenced['column'],
  projectId: string,
  value: string,
): Promise<LinkReferences> {
  const links = `FROM dynamic_links WHERE project_id = $1 AND ${column} = $2`;
  const [row] = await context.read<{ total: string; first: LinkReferences['first'] }>(
    `SELECT (SELECT count(*) ${links}) AS total,
       (SELECT coalesce(json_agg(json_build_object('id', link.id, 'name', link.name, 'custom_path', link.custom_path)), '[]')
        FROM (SELECT id, name, custom_path ${links} ORDER BY created_at, id LIMIT ${maxListedLinks}) AS link) AS first`,
    [projectId, value],
  );
  return { total: Number(row!.total), first: row!.first };
}
