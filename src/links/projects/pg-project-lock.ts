import type { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';

/**
 * Locks a project until the unit of work ends, so that concurrent checks of a limit per project wait for each other.
 * @throws NotFound if the project is gone
 */
export async function lockProject(context: TransactionContext, projectId: string): Promise<void> {
  const locked = await context.read('SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE', [
    projectId,
  ]);
  if (locked.length === 0) throw new NotFound('Project');
}
