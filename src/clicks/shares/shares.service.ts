import { Injectable } from '@nestjs/common';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';
import { DynamicLinkRepository } from '../../links/dynamic-links/dynamic-link.repository';
import type { Project } from '../../links/projects/project';
import { TypeormTagRepository } from '../../links/tags/typeorm-tag.repository';
import { DatabaseClock } from '../../shared/database-clock';
import { CrossScope, NotFound } from '../../shared/domain-error';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { type Precondition, updateIfUnchanged } from '../../shared/precondition';
import { InvalidInput } from '../../shared/problem';
import { requireFound } from '../../shared/require-found';
import { UnitOfWork } from '../../shared/unit-of-work';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import { dayMs } from '../recording/click';
import { digestOfShareToken, maxShareDays, maxShares, mintShareToken, type OpenShare, type Share } from './share';
import { hashPassword, isPassword } from '../../shared/password-hash';
import { ShareRepository } from './share.repository';

interface ShareValues extends Pick<Share, 'name' | 'dynamicLinkId' | 'tagId' | 'timezone' | 'expiresAt'> {
  password: string | null;
}

@Injectable()
export class SharesService {
  /** Each password takes 32 MiB and a thread. */
  readonly #passwords = new ConcurrencyLimits(
    { ofAccount: 1, ofProcess: 2 },
    () => new TooManyAtOnce(1, 'Too many passwords are being checked'),
  );

  constructor(
    private readonly shares: ShareRepository,
    private readonly dynamicLinks: DynamicLinkRepository,
    private readonly tags: TypeormTagRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
  ) {}

  list(project: Project, request: { page: number; limit: number }): Promise<Page<Share>> {
    return this.shares.list(project.id, request);
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<Share> {
    return requireFound(await this.shares.find(project.id, id), 'Share');
  }

  /** @throws InvalidInput, NotFound, CrossScope, LimitReached, TooManyAtOnce */
  async create(project: Project, plan: Plan, values: ShareValues): Promise<{ share: Share; token: string }> {
    const { password, dynamicLinkId, tagId, ...rest } = values;
    if (dynamicLinkId !== null && tagId !== null)
      throw InvalidInput.asAWhole('invalid_format', 'A share has a dynamic_link_id or a tag_id, not both', ['tag_id']);
    await this.#requireLifeTime(values.expiresAt);
    if (dynamicLinkId !== null)
      requireOwn(project, await this.dynamicLinks.findProjectOf(dynamicLinkId), 'The dynamic link of dynamic_link_id');
    if (tagId !== null) requireOwn(project, await this.tags.findProjectOf(tagId), 'The tag of tag_id');
    const passwordHash =
      password === null ? null : await this.#passwords.run(project.accountId, () => hashPassword(password));
    const token = mintShareToken();
    const share = await this.unitOfWork.run(async () => {
      await this.shares.lockProject(project.id);
      const used = await this.shares.count(project.id);
      if (used >= maxShares) throw new LimitReached('shares per project', { limit: maxShares, used, plan });
      const created = { ...rest, id: newId(), projectId: project.id, dynamicLinkId, tagId, passwordHash };
      return this.shares.insert(created, digestOfShareToken(token)!);
    });
    return { share, token };
  }

  /** @throws NotFound, and what the precondition throws */
  async revoke(project: Project, id: string, precondition?: Precondition<Share>): Promise<void> {
    const find = async () => requireFound(await this.shares.findForUpdate(project.id, id), 'Share');
    await updateIfUnchanged(this.unitOfWork, precondition, find, async () => {
      if (!(await this.shares.delete(project.id, id))) throw new NotFound('Share');
    });
  }

  /** Returns the share with this random part of its address; null if nobody may read it. */
  async findOpen(token: string): Promise<OpenShare | null> {
    const digest = digestOfShareToken(token);
    return digest && this.shares.findOpen(digest);
  }

  /** @throws TooManyAtOnce */
  isPassword({ accountId, passwordHash }: OpenShare, password: string): Promise<boolean> {
    return this.#passwords.run(accountId, () => isPassword(password, passwordHash!));
  }

  async #requireLifeTime(expiresAt: Date): Promise<void> {
    const lifeTimeMs = expiresAt.getTime() - (await this.clock.now());
    const refuse = (code: 'too_small' | 'too_big', message: string): void => {
      throw InvalidInput.because([{ code, path: ['expires_at'], message }]);
    };
    if (lifeTimeMs <= 0) refuse('too_small', 'expires_at must be in the future');
    if (lifeTimeMs > maxShareDays * dayMs)
      refuse('too_big', `expires_at must be at most ${maxShareDays} days from now`);
  }
}

/** @throws NotFound, CrossScope */
function requireOwn(project: Project, owner: string | null, what: string): void {
  if (owner === null) throw new NotFound(what);
  if (owner !== project.id) throw new CrossScope(what);
}
