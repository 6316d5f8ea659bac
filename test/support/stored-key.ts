import type { Plan } from '../../src/tenancy/accounts/plan';
import { digestOfKey, mintApiKey, shownPrefix } from '../../src/tenancy/api-keys/api-key-secret';
import { newId } from '../../src/shared/id';
import type { TestDatabase } from './database';

/** The `API_KEY_PEPPER` of programs that must accept these keys. */
export const pepper = 'a-pepper-of-more-than-thirty-two-characters';

export interface StoredKey {
  accountId: string;
  keyId: string;
  key: string;
}

/** Inserts a new account with a key into the database, because the admin command takes longer to start. */
export async function aStoredKey(database: TestDatabase, plan: Plan = 'enterprise'): Promise<StoredKey> {
  const [accountId, userId, keyId, key] = [newId(), newId(), newId(), mintApiKey()];
  await database.query("INSERT INTO accounts (id, name, plan) VALUES ($1, 'Stored', $2)", [accountId, plan]);
  await database.query('INSERT INTO users (id, account_id) VALUES ($1, $2)', [userId, accountId]);
  await database.query(
    `INSERT INTO api_keys (id, account_id, user_id, name, prefix, digest) VALUES ($1, $2, $3, 'Stored', $4, $5)`,
    [keyId, accountId, userId, shownPrefix(key), digestOfKey(key, pepper)],
  );
  return { accountId, keyId, key };
}
