import { Injectable } from '@nestjs/common';
import { AccountRepository } from '../accounts/account.repository';
import type { Caller } from '../accounts/caller';
import { QuotaGate } from '../accounts/quotas';
import { Clock } from '../../shared/clock';
import { NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { InvalidInput } from '../../shared/problem';
import { UnitOfWork } from '../../shared/unit-of-work';
import type { ApiKey, CreatedApiKey } from './api-key';
import { digestOf, mintApiKey, shownPrefix } from './api-key-secret';
import { ApiKeyRepository } from './api-key.repository';
import { Pepper } from './pepper';

/** Keys, as the shell sees all of them and as the people of an account see their live ones. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly accounts: AccountRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly pepper: Pepper,
    private readonly clock: Clock,
  ) {}

  /**
   * A new key of the account's owner, whatever the account's quota.
   * @throws NotFound when the account does not exist.
   */
  async create(accountId: string, name: string, expiresAt: Date | null): Promise<CreatedApiKey> {
    const owner = await this.accounts.findOwner(accountId);
    if (!owner) throw new NotFound('Account');
    return this.mint({ accountId, userId: owner.id, name, expiresAt });
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

  /**
   * A new key that acts in the name of the person who makes it.
   * @throws InvalidInput when it would have expired already
   * @throws QuotaReached
   */
  createFor({ accountId, userId, plan }: Caller, name: string, expiresAt: Date | null): Promise<CreatedApiKey> {
    this.refusePast(expiresAt);
    return this.unitOfWork.run(async () => {
      await this.quotas.reserve(accountId, plan, 'apiKeys');
      return this.mint({ accountId, userId, name, expiresAt });
    });
  }

  listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return this.keys.listLive(accountId, request);
  }

  /** @throws NotFound when the account has no such live key. */
  async getLive(accountId: string, id: string): Promise<ApiKey> {
    return found(await this.keys.findLive(accountId, id));
  }

  /** @throws NotFound when the account has no such live key, and what `expected` throws */
  updateLive(
    accountId: string,
    id: string,
    changes: { name?: string },
    precondition?: Precondition<ApiKey>,
  ): Promise<ApiKey> {
    return this.change(accountId, id, precondition, async () =>
      found(await this.keys.updateLive(accountId, id, changes)),
    );
  }

  /** @throws NotFound when the account has no such live key, and what `expected` throws */
  revokeLive(accountId: string, id: string, precondition?: Precondition<ApiKey>): Promise<void> {
    return this.change(accountId, id, precondition, async () => {
      if (!(await this.keys.revokeLive(accountId, id))) throw new NotFound('API key');
    });
  }

  private change<R>(
    accountId: string,
    id: string,
    precondition: Precondition<ApiKey> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => found(await this.keys.findLiveForUpdate(accountId, id));
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }

  private async mint(fields: Pick<ApiKey, 'accountId' | 'userId' | 'name' | 'expiresAt'>): Promise<CreatedApiKey> {
    const secret = mintApiKey();
    const key = { id: newId(), prefix: shownPrefix(secret), ...fields };
    return { ...(await this.keys.insert(key, digestOf(secret, this.pepper.value))), secret };
  }

  /** A key that never works helps nobody. */
  private refusePast(expiresAt: Date | null): void {
    if (expiresAt === null || expiresAt.getTime() > this.clock.now()) return;
    const message = 'expires_at must be in the future';
    throw InvalidInput.because([{ code: 'too_small', path: ['expires_at'], message }]);
  }
}

function found(key: ApiKey | null): ApiKey {
  if (!key) throw new NotFound('API key');
  return key;
}
