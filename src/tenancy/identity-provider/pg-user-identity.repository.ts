import { Injectable } from '@nestjs/common';
import type { ProjectRole, Role } from '../../api-kit/policy/policy';
import type { Plan } from '../accounts/plan';
import { brokenConstraint } from '../../platform/postgres/database-error';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Identity } from './identity';

/** Another request was first, or the account was deleted. */
const expectedConflicts = ['user_identities_pkey', 'users_account_fk'];

interface FoundIdentity {
  plan: Plan;
  frozen: boolean;
  disabled: boolean;
  userId: string | null;
  /** The member that the person is, or becomes by `bind`; null if there is no such member. */
  memberId: string | null;
  isBound: boolean;
  role: Role | null;
  projectRoles: Record<string, ProjectRole> | null;
  accountHasMembers: boolean;
}

@Injectable()
export class PgUserIdentityRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Returns null if the account does not exist; `userId` is null before the first request of the identity. */
  async find({ accountId, issuer, subject, email }: Identity): Promise<FoundIdentity | null> {
    const [row] = await this.context.read<FoundIdentity>(
      `SELECT a.plan, a.frozen, a.disabled, i.user_id AS "userId", m.id AS "memberId", m.user_id IS NOT NULL AS "isBound", m.role,
              m.project_roles AS "projectRoles",
              EXISTS (SELECT FROM members o WHERE o.account_id = a.id) AS "accountHasMembers"
       FROM accounts a
       LEFT JOIN user_identities i ON i.account_id = a.id AND i.issuer = $2 AND i.subject = $3
       LEFT JOIN LATERAL (
         SELECT * FROM members
         WHERE account_id = a.id
           AND (user_id = i.user_id OR (user_id IS NULL AND coalesce(subject = $3, email = lower($4))))
         ORDER BY user_id NULLS LAST, subject NULLS LAST LIMIT 1
       ) m ON true
       WHERE a.id = $1`,
      [accountId, issuer, subject, email],
    );
    return row ?? null;
  }

  /** Binds a member to the user. Does nothing if another person was first. */
  async bind(memberId: string, userId: string): Promise<void> {
    await this.context.write('UPDATE members SET user_id = $2 WHERE id = $1 AND user_id IS NULL', [memberId, userId]);
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
