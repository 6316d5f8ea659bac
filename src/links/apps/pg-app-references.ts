import { brokenConstraint } from '../../platform/postgres/database-error';
import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { AppReferenced, type AppReferences } from './mobile-app.errors';

/** Links that a refused deletion lists. */
const maxListedLinks = 5;

/** Attempts of a deletion whose last reference goes at the same time. */
const maxDeletionAttempts = 3;

/** The reference of dynamic links to the apps of one platform. */
export interface LinkReference {
  table: 'ios_apps' | 'android_apps';
  column: 'ios_app_id' | 'android_app_id';
  constraint: string;
  /** The name of the resource in messages. */
  appName: string;
}

/** Returns the projects of the apps by their ids, in any account. Unknown ids are absent. */
export async function projectsOfApps(
  context: TransactionContext,
  table: LinkReference['table'],
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await context.read<{ id: string; project_id: string }>(
    `SELECT app.id, app.project_id FROM ${table} app JOIN projects p ON p.id = app.project_id
     WHERE app.id = ANY ($1) AND p.deleted_at IS NULL`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.project_id]));
}

/**
 * Deletes an app by `remove`.
 * @throws AppReferenced if dynamic links reference the app
 */
export async function deleteUnreferenced<T>(
  context: TransactionContext,
  { appName, column, constraint }: LinkReference,
  projectId: string,
  id: string,
  remove: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await context.attempt(remove);
    } catch (error) {
      if (brokenConstraint(error) !== constraint) throw error;
      const references = await referencesOf(context, column, projectId, id);
      if (references.total > 0 || attempt === maxDeletionAttempts) throw new AppReferenced(appName, column, references);
    }
  }
}

async function referencesOf(
  context: TransactionContext,
  column: LinkReference['column'],
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
