import { Injectable } from '@nestjs/common';
import type { User } from '../accounts/account';
import { AccountRepository } from '../accounts/account.repository';
import type { Caller } from '../accounts/caller';
import { PgOwnProjectRepository } from '../accounts/pg-own-project.repository';
import { QuotaGate } from '../accounts/quotas';
import { DatabaseClock } from '../../shared/database-clock';
import { newId } from '../../shared/id';
import { requireFound } from '../../shared/require-found';
import type { Page } from '../../shared/page';
import type { Precondition } from '../../shared/precondition';
import { InvalidInput } from '../../shared/problem';
import { UnitOfWork } from '../../shared/unit-of-work';
import { ApiKey, type ApiKeyValues, type CreatedApiKey, type IssuedFields, type NewApiKey } from './api-key';
import { digestOfKey, looksLikeApiKey, mintApiKey } from './api-key-secret';
import { TypeormApiKeyRepository } from './typeorm-api-key.repository';
import { Pepper } from './pepper';

const dayMs = 86_400_000;

interface IssuedKey {
  key: NewApiKey;
  secret: string;
}

/** Implements key management: of all keys for the shell, of an account's live keys for its users. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: TypeormApiKeyRepository,
    private readonly accounts: AccountRepository,
    private readonly quotas: QuotaGate,
    private readonly unitOfWork: UnitOfWork,
    private readonly pepper: Pepper,
    private readonly clock: DatabaseClock,
    private readonly projects: PgOwnProjectRepository,
  ) {}

  /**
   * Creates a key for the account's owner, regardless of the quota.
   * @throws NotFound if the account does not exist
   */
  create(accountId: string, name: string, expiresAt: Date | null): Promise<CreatedApiKey> {
    return this.unitOfWork.run(async () => {
      requireFound(await this.accounts.find(accountId), 'Account');
      const owner = (await this.accounts.findOwner(accountId)) ?? (await this.#createOwner(accountId));
      return this.#insert(this.#issue({ accountId, userId: owner.id, name, expiresAt }));
    });
  }

  /** @throws NotFound if the account does not exist */
  async list(accountId: string): Promise<ApiKey[]> {
    requireFound(await this.accounts.find(accountId), 'Account');
    return this.keys.list(accountId);
  }

  /** @throws NotFound if the key does not exist */
  revoke(id: string): Promise<ApiKey> {
    return this.unitOfWork.run(async () =>
      this.#revokeLocked(requireFound(await this.keys.findForUpdate({ id }), 'API key')),
    );
  }

  /**
   * Creates a key for the calling user.
   * @throws InvalidInput if the key would have expired already, or would exceed the maximum age of the account
   * @throws QuotaReached, NotFound, CrossScope
   */
  async createFor(
    { accountId, userId, plan }: Caller,
    values: ApiKeyValues,
    expiresAt: Date | null,
    publishable = false,
  ): Promise<CreatedApiKey> {
    const now = await this.clock.now();
    const latest = await this.#latestExpiry(accountId, now);
    const scopes = values.scopes ?? (publishable ? (['links:create'] as const) : undefined);
    const issued = this.#issue({
      ...values,
      ...(scopes && { scopes }),
      accountId,
      userId,
      expiresAt: expiresAt ?? latest,
      publishable,
    });
    if (expiresAt && latest && expiresAt > latest) {
      const message = `expires_at must not be after ${latest.toISOString()}, because of max_key_age_days of the account`;
      throw InvalidInput.because([{ code: 'too_big', path: ['expires_at'], message }]);
    }
    if (expiresAt && !issued.key.isValidAt(now)) {
      const message = 'expires_at must be in the future';
      throw InvalidInput.because([{ code: 'too_small', path: ['expires_at'], message }]);
    }
    await this.projects.requireOwn(accountId, values.projectIds);
    return this.unitOfWork.run(async () => {
      await this.quotas.reserve(accountId, plan, 'apiKeys');
      return this.#insert(issued);
    });
  }

  listLive(accountId: string, request: { page: number; limit: number }): Promise<Page<ApiKey>> {
    return this.keys.listLive(accountId, request);
  }

  /** @throws NotFound if the account has no such live key */
  async getLive(accountId: string, id: string): Promise<ApiKey> {
    return requireFound(await this.keys.findLive(accountId, id), 'API key');
  }

  /** @throws NotFound if the account has no such live key or a project does not exist, CrossScope, and what the precondition throws */
  updateLive(
    accountId: string,
    id: string,
    changes: Partial<ApiKeyValues>,
    precondition?: Precondition<ApiKey>,
  ): Promise<ApiKey> {
    return this.#change(accountId, id, precondition, async () => {
      await this.projects.requireOwn(accountId, changes.projectIds);
      return requireFound(await this.keys.update(accountId, id, changes), 'API key');
    });
  }

  /**
   * Creates a successor, and lets the key expire after the overlap.
   * @throws NotFound if the account has no such live key, QuotaReached
   */
  rotate({ accountId, userId, plan }: Caller, id: string, overlapHours: number): Promise<CreatedApiKey> {
    return this.#change(accountId, id, undefined, async (key) => {
      await this.quotas.reserve(accountId, plan, 'apiKeys');
      const now = await this.clock.now();
      const { expiresAt: oldEnd, createdAt, publishable } = key;
      const lifeTimeMs = oldEnd && oldEnd.getTime() - createdAt.getTime();
      const latest = await this.#latestExpiry(accountId, now);
      const expiresAt =
        lifeTimeMs === null ? latest : new Date(Math.min(now + lifeTimeMs, latest?.getTime() ?? Infinity));
      const end = new Date(Math.min(now + overlapHours * 3_600_000, oldEnd?.getTime() ?? Infinity));
      await this.keys.update(accountId, id, { expiresAt: end });
      return this.#insert(this.#issue({ ...key.values, publishable, accountId, userId, expiresAt }));
    });
  }

  /** Revokes the key of any account with this text, if there is one. */
  async revokeLeaked(secret: string): Promise<void> {
    if (!looksLikeApiKey(secret)) return;
    const digest = digestOfKey(secret, this.pepper.value);
    await this.unitOfWork.run(async () => {
      const key = await this.keys.findForUpdate({ digest });
      if (key) await this.#revokeLocked(key);
    });
  }

  /** @throws NotFound if the account has no such live key, and what the precondition throws */
  async revokeLive(accountId: string, id: string, precondition?: Precondition<ApiKey>): Promise<void> {
    await this.#change(accountId, id, precondition, (key) => this.#revokeLocked(key));
  }

  #change<R>(
    accountId: string,
    id: string,
    precondition: Precondition<ApiKey> | undefined,
    change: (key: ApiKey) => Promise<R>,
  ): Promise<R> {
    return this.unitOfWork.run(async () => {
      const key = requireFound(await this.keys.findLiveForUpdate(accountId, id), 'API key');
      precondition?.(key);
      return change(key);
    });
  }

  /** Returns when a key that is created now reaches the maximum age of the account; null if it has none. */
  async #latestExpiry(accountId: string, now: number): Promise<Date | null> {
    const { maxKeyAgeDays } = requireFound(await this.accounts.find(accountId), 'Account');
    return maxKeyAgeDays === null ? null : new Date(now + maxKeyAgeDays * dayMs);
  }

  /** Creates a user for an account whose users were all erased. */
  #createOwner(accountId: string): Promise<User> {
    return this.accounts.insertUser({ id: newId(), accountId, email: null });
  }

  async #revokeLocked(key: ApiKey): Promise<ApiKey> {
    const changes = key.revoke(new Date(await this.clock.now()));
    return requireFound(await this.keys.update(key.accountId, key.id, changes), 'API key');
  }

  #issue(fields: IssuedFields): IssuedKey {
    const secret = mintApiKey(fields.publishable);
    return { key: ApiKey.issue(fields, secret), secret };
  }

  async #insert({ key, secret }: IssuedKey): Promise<CreatedApiKey> {
    const inserted = await this.keys.insert(key, digestOfKey(secret, this.pepper.value));
    return Object.assign(inserted, { secret });
  }
}
