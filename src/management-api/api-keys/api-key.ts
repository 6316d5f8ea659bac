/** A key as it is listed: never the secret, never its digest. */
export class ApiKey {
  readonly id: string;
  readonly accountId: string;
  /** The person that what the key makes belongs to. */
  readonly userId: string;
  readonly name: string;
  /** The secret's first characters. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** To the minute; null before the first use. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export type NewApiKey = Pick<ApiKey, 'id' | 'accountId' | 'userId' | 'name' | 'prefix' | 'expiresAt'>;

/** The secret is in the answer to a key's creation alone. */
export type CreatedApiKey = ApiKey & { secret: string };
