import { Injectable } from '@nestjs/common';
import { lockProject } from '../../links/projects/pg-project-lock';
import { currentTenant } from '../../platform/postgres/request-context';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { EntityRows } from '../../platform/tables/entity-rows';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import type { NewShare, OpenShare, Share } from './share';
import { ShareRepository } from './share.repository';
import { type ShareRow, ShareSchema } from './share.schema';

const missing = {
  statistic_shares_project_fk: () => new NotFound('Project'),
  statistic_shares_dynamic_link_fk: () => new NotFound('The dynamic link of dynamic_link_id'),
  statistic_shares_tag_fk: () => new NotFound('The tag of tag_id'),
};

@Injectable()
export class TypeormShareRepository implements ShareRepository {
  readonly #shares: EntityRows<ShareRow>;

  constructor(private readonly context: TransactionContext) {
    this.#shares = new EntityRows(context, ShareSchema);
  }

  lockProject(projectId: string): Promise<void> {
    return lockProject(this.context, projectId);
  }

  count(projectId: string): Promise<number> {
    return this.#shares.repository.countBy({ projectId });
  }

  insert(share: NewShare, tokenDigest: Buffer): Promise<Share> {
    return this.#shares.insert({ ...share, tokenDigest }, missing);
  }

  find(projectId: string, id: string): Promise<Share | null> {
    return this.#shares.find({ projectId, id });
  }

  findForUpdate(projectId: string, id: string): Promise<Share | null> {
    return this.#shares.findForUpdate({ projectId, id });
  }

  list(projectId: string, request: { page: number; limit: number }): Promise<Page<Share>> {
    return this.#shares.newest({ projectId }, request);
  }

  delete(projectId: string, id: string): Promise<boolean> {
    return this.#shares.delete({ projectId, id });
  }

  async findOpen(tokenDigest: Buffer): Promise<OpenShare | null> {
    const [share] = await this.context.read<OpenShare>(
      `SELECT share.id, share.project_id AS "projectId", share.name, share.dynamic_link_id AS "dynamicLinkId",
         share.tag_id AS "tagId", share.timezone, share.password_hash AS "passwordHash", share.expires_at AS "expiresAt",
         share.created_at AS "createdAt", account.id AS "accountId", tag.name AS "tagName"
       FROM statistic_shares AS share
       JOIN projects AS project ON project.id = share.project_id AND project.deleted_at IS NULL
       JOIN accounts AS account ON account.id = project.account_id AND NOT account.disabled
       LEFT JOIN tags AS tag ON tag.id = share.tag_id AND tag.retired_at IS NULL
       WHERE share.token_digest = $1 AND share.expires_at > now() AND (share.tag_id IS NULL OR tag.id IS NOT NULL)`,
      [tokenDigest],
    );
    const tenant = currentTenant();
    if (share && tenant) tenant.key = `account:${share.accountId}`;
    return share ?? null;
  }
}
