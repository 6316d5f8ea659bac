import { Injectable } from '@nestjs/common';
import { actorOfContext, withActor } from '../../platform/postgres/request-context';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { approvalDays, type ApprovalState, type ListedApproval, type RequestedChange } from './approval';

const nameOf = (column: string) => `coalesce(
  (SELECT email FROM users WHERE id = a.${column}),
  (SELECT subject FROM user_identities WHERE account_id = a.account_id AND user_id = a.${column} ORDER BY created_at LIMIT 1)
)`;

const columns = `a.id, a.account_id AS "accountId", a.operation, a.project_id AS "projectId", a.resource_id AS "resourceId", a.body,
  CASE WHEN a.state = 'pending' AND a.expires_at <= now() THEN 'expired' ELSE a.state END AS state,
  a.requested_by AS "requestedBy", a.api_key_id AS "apiKeyId", a.decided_by AS "decidedBy", a.created_at AS "createdAt",
  a.expires_at AS "expiresAt", a.decided_at AS "decidedAt",
  ${nameOf('requested_by')} AS "requestedByName", ${nameOf('decided_by')} AS "decidedByName",
  coalesce(
    (SELECT hostname FROM custom_domains WHERE id = a.resource_id AND project_id = a.project_id),
    (SELECT coalesce(email, subject) FROM members WHERE id = a.resource_id AND account_id = a.account_id),
    (SELECT email FROM users WHERE id = a.resource_id AND account_id = a.account_id),
    (SELECT name FROM projects WHERE id = a.resource_id AND account_id = a.account_id AND deleted_at IS NULL)
  ) AS "resourceName"`;

@Injectable()
export class PgApprovalRepository {
  constructor(private readonly context: TransactionContext) {}

  async isRequired(accountId: string): Promise<boolean> {
    const [row] = await this.context.read<{ required: boolean }>(
      'SELECT approval_required AS required FROM accounts WHERE id = $1',
      [accountId],
    );
    return row?.required === true;
  }

  /** Counts the people who have signed in and can be owners: those members, or everyone in an account without members. */
  async countOwners(accountId: string): Promise<number> {
    const [row] = await this.context.read<{ owners: number }>(
      `SELECT CASE WHEN EXISTS (SELECT FROM members WHERE account_id = $1)
         THEN (SELECT count(*) FROM members WHERE account_id = $1 AND role = 'owner' AND user_id IS NOT NULL)
         ELSE (SELECT count(DISTINCT user_id) FROM user_identities WHERE account_id = $1) END::integer AS owners`,
      [accountId],
    );
    return row!.owners;
  }

  async list(accountId: string, { page, limit }: { page: number; limit: number }): Promise<Page<ListedApproval>> {
    const items = await this.context.read<ListedApproval>(
      `SELECT ${columns} FROM approvals AS a WHERE a.account_id = $1 ORDER BY a.created_at DESC, a.id DESC LIMIT $2 OFFSET $3`,
      [accountId, limit, (page - 1) * limit],
    );
    const [count] = await this.context.read<{ total: number }>(
      'SELECT count(*)::integer AS total FROM approvals WHERE account_id = $1',
      [accountId],
    );
    return { items, total: count!.total };
  }

  async find(accountId: string, id: string): Promise<ListedApproval | null> {
    const sql = `SELECT ${columns} FROM approvals AS a WHERE a.account_id = $1 AND a.id = $2`;
    const [approval] = await this.context.read<ListedApproval>(sql, [accountId, id]);
    return approval ?? null;
  }

  /** Returns the pending approval of the same person and change; null without one. */
  async findSame(accountId: string, userId: string, change: RequestedChange): Promise<string | null> {
    const { operation, projectId, resourceId, body } = change;
    const [row] = await this.context.read<{ id: string }>(
      `SELECT id FROM approvals WHERE account_id = $1 AND requested_by = $2 AND state = 'pending' AND expires_at > now()
         AND (operation, project_id, resource_id, body) IS NOT DISTINCT FROM ($3, $4::uuid, $5::uuid, $6::jsonb)`,
      [accountId, userId, operation, projectId, resourceId, body],
    );
    return row?.id ?? null;
  }

  async countPending(accountId: string): Promise<number> {
    const sql = `SELECT count(*)::integer AS count FROM approvals WHERE account_id = $1 AND state = 'pending' AND expires_at > now()`;
    const [row] = await this.context.read<{ count: number }>(sql, [accountId]);
    return row!.count;
  }

  async insert(
    accountId: string,
    requester: { userId: string; apiKeyId: string | null },
    change: RequestedChange,
  ): Promise<string> {
    const id = newId();
    const { operation, projectId, resourceId, body } = change;
    await this.context.run(async () => {
      // Bodies of changes that nobody decided can have addresses of people.
      await this.context.write(
        `DELETE FROM approvals WHERE account_id = $1 AND state = 'pending' AND expires_at <= now()`,
        [accountId],
      );
      await this.context.write(
        `INSERT INTO approvals (id, account_id, operation, project_id, resource_id, body, requested_by, api_key_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(days => $9))`,
        [id, accountId, operation, projectId, resourceId, body, requester.userId, requester.apiKeyId, approvalDays],
      );
    });
    return id;
  }

  /** Decides a pending approval. Returns false if it is decided or expired. The unit of work locks it for others. */
  async decide(accountId: string, id: string, state: ApprovalState, userId: string): Promise<boolean> {
    const rows = await this.context.write<object>(
      `UPDATE approvals SET state = $3, decided_by = $4, decided_at = now(), body = NULL
       WHERE account_id = $1 AND id = $2 AND state = 'pending' AND expires_at > now() RETURNING id`,
      [accountId, id, state, userId],
    );
    return rows.length > 0;
  }

  /** Runs the approved change. Its entries in the journal name the person who requested it too. */
  inNameOfBoth<R>(requestedBy: string, change: () => Promise<R>): Promise<R> {
    return withActor({ ...actorOfContext()!, requested_by: requestedBy }, change);
  }
}
