import { defaultsOf, type Properties, propertyOf, shapeOf } from '../../shared/field-table';
import { newId } from '../../shared/id';
import { type ApiKeyFields, apiKeyFields } from './api-key-fields';
import { shownPrefix } from './api-key-secret';

/** An API key without its secret, of which the database has a digest only. */
export class ApiKey extends shapeOf<Properties<ApiKeyFields>>() {
  readonly id: string;
  readonly accountId: string;
  /** The user who owns what the key creates. */
  readonly userId: string;
  /** The secret's first characters. */
  readonly prefix: string;
  /** Whether the key may stand in pages. It never changes. */
  readonly publishable: boolean;
  readonly createdAt: Date;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;

  private constructor(fields: Partial<ApiKey>) {
    super();
    Object.assign(this, fields);
  }

  static issue(fields: IssuedFields, secret: string): NewApiKey {
    const own = { id: newId(), prefix: shownPrefix(secret), publishable: false, lastUsedAt: null, revokedAt: null };
    return new ApiKey({ ...defaults, ...own, ...fields });
  }

  /**
   * Returns false from the millisecond of its expiry on.
   * @param now milliseconds since 1970
   */
  isValidAt(now: number): boolean {
    return this.revokedAt === null && (this.expiresAt === null || this.expiresAt.getTime() > now);
  }

  /** The values that callers set and change. */
  get values(): ApiKeyValues {
    const properties = Object.keys(apiKeyFields).map(propertyOf) as (keyof ApiKeyValues)[];
    return Object.fromEntries(properties.map((property) => [property, this[property]])) as ApiKeyValues;
  }

  /** Returns the change that revokes the key. A revoked key keeps its first date. */
  revoke(at: Date): { revokedAt: Date } {
    return { revokedAt: this.revokedAt ?? at };
  }
}

const defaults = defaultsOf(apiKeyFields) as Partial<ApiKey>;

/** The values that a caller sets. Absent limits are null. */
export type ApiKeyValues = Pick<ApiKey, 'name'> & Partial<Properties<ApiKeyFields>>;
export type IssuedFields = ApiKeyValues &
  Pick<ApiKey, 'accountId' | 'userId' | 'expiresAt'> & { publishable?: boolean };
export type NewApiKey = Omit<ApiKey, 'createdAt'>;
export type ApiKeyChanges = Partial<Properties<ApiKeyFields> & Pick<ApiKey, 'expiresAt' | 'revokedAt'>>;

/** A key with its secret, which only the response to its creation contains. */
export type CreatedApiKey = ApiKey & { secret: string };
