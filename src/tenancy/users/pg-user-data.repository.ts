import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import type { Page } from '../../shared/page';
import { UserSchema } from '../accounts/account.schema';
import type { ListedUser, UserRecord } from './user-record';

@Injectable()
export class PgUserDataRepository {
  constructor(private readonly context: TransactionContext) {}

  async list(accountId: string, request: { page: number; limit: number }): Promise<Page<ListedUser>> {
    const page = await new EntityRows(this.context, UserSchema).newest({ accountId }, request);
    const identities = await this.context.read<{ userId: string; subject: string }>(
      `SELECT DISTINCT ON (user_id) user_id AS "userId", subject FROM user_identities
       WHERE account_id = $1 AND user_id = ANY ($2::uuid[]) ORDER BY user_id, created_at`,
      [accountId, page.items.map(({ id }) => id)],
    );
    const subjects = new Map(identities.map(({ userId, subject }) => [userId, subject]));
    return { ...page, items: page.items.map((user) => ({ ...user, subject: subjects.get(user.id) ?? null })) };
  }

  /** Returns all data of a person; null if the account has no such user. */
  async find(accountId: string, id: string): Promise<UserRecord | null> {
    const [user] = await this.context.read<UserRecord>(
      `SELECT u.id, u.email, u.created_at AS "createdAt",
         (SELECT coalesce(json_agg(json_build_object('issuer', issuer, 'subject', subject, 'created_at', created_at)), '[]')
          FROM user_identities WHERE account_id = $1 AND user_id = u.id) AS identities,
         (SELECT json_build_object('id', id, 'email', email, 'subject', subject, 'role', role)
          FROM members WHERE account_id = $1 AND user_id = u.id) AS member,
         (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name) ORDER BY created_at), '[]')
          FROM api_keys WHERE account_id = $1 AND user_id = u.id) AS "apiKeys",
         ARRAY(SELECT id FROM projects WHERE account_id = $1 AND user_id = u.id AND deleted_at IS NULL) AS "projectIds",
         named.entries AS "journalEntries", named.addresses
       FROM users AS u CROSS JOIN (
         SELECT count(*)::integer AS entries,
           coalesce(array_agg(DISTINCT actor->>'address') FILTER (WHERE actor ? 'address'), '{}') AS addresses
         FROM journal WHERE account_id = $1 AND actor->>'user_id' = $2
       ) AS named
       WHERE u.account_id = $1 AND u.id = $2::uuid`,
      [accountId, id],
    );
    return user ?? null;
  }

  /** Removes a person. The journal keeps the id. Returns false if the account has no such user. */
  async erase(accountId: string, id: string): Promise<boolean> {
    const sql = 'SELECT erase_user($1, $2) AS erased';
    const [row] = await this.context.write<{ erased: boolean }>(sql, [accountId, id]);
    return row!.erased;
  }
}
