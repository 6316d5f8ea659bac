import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../accounts/account.repository';
import { NotFound } from '../shared/domain-error';
import { newId } from '../shared/id';
import type { ApiKey } from './api-key';
import { digestOf, mintApiKey, shownPrefix } from './api-key-secret';
import { ApiKeyRepository } from './api-key.repository';
import { Pepper } from './pepper';

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly accounts: AccountRepository,
    private readonly pepper: Pepper,
  ) {}

  /**
   * A new key of the account's owner. The secret is in this answer alone: only its digest is kept.
   * @throws NotFound when the account does not exist.
   */
  async create(accountId: string, name: string, expiresAt: Date | null): Promise<ApiKey & { secret: string }> {
    const owner = await this.accounts.findOwner(accountId);
    if (!owner) throw new NotFound('Account');
    const secret = mintApiKey();
    const key = { id: newId(), accountId, userId: owner.id, name, prefix: shownPrefix(secret), expiresAt };
    const stored = await this.keys.insert(key, digestOf(secret, this.pepper.value));
    return { ...stored, secret };
  }

  /** @throws NotFound when the account does not exist. */
  async list(accountId: string): Promise<ApiKey[]> {
    if (!(await this.accounts.find(accountId))) throw new NotFound('Account');
    return this.keys.list(accountId);
  }

  /** @throws NotFound when the key does not exist. */
  async revoke(id: string): Promise<ApiKey> {
    const key = await this.keys.revoke(id);
    if (!key) throw new NotFound('API key');
    return key;
  }
}
