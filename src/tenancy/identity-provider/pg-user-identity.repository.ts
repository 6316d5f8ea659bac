import { Injectable } from '@nestjs/common';
import type { Plan } from '../accounts/plan';
import { brokenConstraint } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Identity } from './identity';

/** Another request was first, or the account was deleted. */
const expectedConflicts = ['user_identities_pkey', 'users_account_fk'];

@Injectable()
export class PgUserIdentityRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Returns null if the account does not exist; `userId` is null before the first request of the identity. */
  async find({ accountId, issuer, subject }: Identity): Promise<{ plan: Plan; userId: string | null } | null> {
    const [row] = await this.context.read<{ plan: Plan; user_id: string | null }>(
      `SELECT a.plan, i.user_id FROM accounts a
       LEFT JOIN user_identities i ON i.account_id = a.id AND i.issuer = $2 AND i.subject = $3
       WHERE a.id = $1`,
      [accountId, issuer, subject],
    );
    return row ? { plan: row.plan, userId: row.user_id } : null;
  }

  /**
   * Creates the user of an identity. Returns false if it exists already or the account is gone.
   * Uses one statement, so that no user without an identity is left behind.
   */
  async insert(userId: string, { accountId, issuer, subject, email }: Identity): Promise<boolean> {
    try {
      await this.context.write(
        `WITH made AS (INSERT INTO users (id, account_id, email) VALUES ($1, $2, $5) RETURNING id, account_id)
         INSERT INTO user_identities (account_id, issuer, subject, user_id)
         SELECT account_id, $3, $4, id FROM made`,
        [userId, accountId, issuer, subject, email],
      );
      return true;
    } catch (error) {
      if (expectedConflicts.includes(brokenConstraint(error) ?? '')) return false;
      throw error;
    }
  }
}
