import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { LinkTagRepository } from './link-tag.repository';

/** Links of a statement. */
const batchSize = 20_000;

@Injectable()
export class TypeormLinkTagRepository extends LinkTagRepository {
  constructor(private readonly context: TransactionContext) {
    super();
  }

  async find(projectId: string, linkIds: string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (let from = 0; from < linkIds.length; from += batchSize)
      for (const { id, tags } of await this.#find(projectId, linkIds.slice(from, from + batchSize)))
        found.set(id, tags);
    return found;
  }

  #find(projectId: string, linkIds: string[]): Promise<{ id: string; tags: string[] }[]> {
    return this.context.read(
      `SELECT link.id, array_agg(DISTINCT tag.id::text) AS tags
       FROM dynamic_links AS link CROSS JOIN LATERAL unnest(link.tag_ids) AS given (id) JOIN tags AS own ON own.id = given.id
         JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
       WHERE link.project_id = $1 AND link.id = ANY ($2::uuid[]) AND link.deleted_at IS NULL GROUP BY link.id`,
      [projectId, linkIds],
    );
  }
}
