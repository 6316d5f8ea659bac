import { newId } from '../../shared/id';
import { shownPrefix } from './api-key-secret';

/** An API key without its secret, of which the database has a digest only. */
export class ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** The user who owns what the key creates. */
  readonly userId: string;
  readonly name: string;
  /** The secret's first characters. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;

  private constructor(fields: Partial<ApiKey>) {
    Object.assign(this, fields);
  }

  static issue(fields: Pick<ApiKey, 'accountId' | 'userId' | 'name' | 'expiresAt'>, secret: string): NewApiKey {
    return new ApiKey({ ...fields, id: newId(), prefix: shownPrefix(secret), lastUsedAt: null, revokedAt: null });
  }

  /**
   * Returns false from the millisecond of its expiry on.
   * @param now milliseconds since 1970
   */
  isValidAt(now: number): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt.getTime() > now);
  }

  /** Returns the change that revokes the key. A revoked key keeps its first date. */
  revoke(at: Date): { revokedAt: Date } {
    return { revokedAt: this.revokedAt ?? at };
  }
}

export type NewApiKey = Omit<ApiKey, 'createdAt'>;
export type ApiKeyChanges = Partial<Pick<ApiKey, 'name' | 'revokedAt'>>;

/** A key with its secret, which only the response to its creation contains. */
export type CreatedApiKey = ApiKey & { secret: string };
