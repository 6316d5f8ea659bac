import { brokenConstraint } from '../../platform/postgres/database-error';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import type { AppPlatform } from './app';
import { appPlatforms } from './app-platforms';
import { AppReferenced, type AppReferences } from './app.errors';
import { appTables } from './app.schema';

const maxListedLinks = 5;

/** Attempts of a deletion whose last reference goes at the same time. */
const maxDeletionAttempts = 3;

/**
 * Deletes an app by `remove`.
 * @throws AppReferenced if dynamic links reference the app
 */
export async function deleteUnreferenced<T>(
  context: TransactionContext,
  platform: AppPlatform,
  projectId: string,
  id: string,
  remove: () => Promise<T>,
): Promise<T> {
  const { linkColumn, linkConstraint } = appTables[platform];
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.attempt(remove);
    } catch (error) {
      if (brokenConstraint(error) !== linkConstraint) throw error;
      const references = await referencesOf(context, linkColumn, projectId, id);
      if (references.total > 0 || attempt === maxDeletionAttempts)
        throw new AppReferenced(appPlatforms[platform].appName, linkColumn, references);
    }
  }
}

async function referencesOf(
  context: TransactionContext,
  column: 'ios_app_id' | 'android_app_id',
  projectId: string,
  id: string,
): Promise<AppReferences> {
  const links = `FROM dynamic_links WHERE project_id = $1 AND ${column} = $2`;
  const [row] = await context.read<{ total: string; first: AppReferences['first'] }>(
    `SELECT (SELECT count(*) ${links}) AS total,
       (SELECT coalesce(json_agg(json_build_object('id', link.id, 'name', link.name, 'custom_path', link.custom_path)), '[]')
        FROM (SELECT id, name, custom_path ${links} ORDER BY created_at, id LIMIT ${maxListedLinks}) AS link) AS first`,
    [projectId, id],
  );
  return { total: Number(row!.total), first: row!.first };
}
