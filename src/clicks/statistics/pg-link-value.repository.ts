import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { linkParamsSql } from '../../links/link-templates/template-params-sql';
import type { UtmParameter } from './statistics-filter';

const digest = 'md5(pair ->> 1)::uuid::text';

const pairs = `dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(${linkParamsSql}) AS pair`;

const ofLinks = `link.project_id = $1 AND link.id = ANY (string_to_array($2, ',')::uuid[]) AND link.deleted_at IS NULL`;

/**
 * Reads what groups links, as text for another database, so that the process has no work for each link. Each link is followed by the ids
 * of its values without a separator, and commas separate links. Links without a value, and deleted ones, are absent.
 */
@Injectable()
export class PgLinkValueRepository {
  constructor(private readonly context: TransactionContext) {}

  /** @param links ids, separated by commas */
  tagsOf(projectId: string, links: string): Promise<string> {
    return this.#text(
      `SELECT concat(link.id, string_agg(DISTINCT tag.id::text, '' ORDER BY tag.id::text)) AS part
       FROM dynamic_links AS link CROSS JOIN LATERAL unnest(link.tag_ids) AS given (id) JOIN tags AS own ON own.id = given.id
         JOIN tags AS tag ON tag.id = coalesce(own.merged_into, own.id) AND tag.retired_at IS NULL
       WHERE ${ofLinks} GROUP BY link.id`,
      [projectId, links],
    );
  }

  /**
   * Reads the digest of a parameter.
   * @param links ids, separated by commas
   */
  digestsOf(projectId: string, links: string, name: UtmParameter): Promise<string> {
    return this.#text(
      `SELECT concat(link.id, ${digest}) AS part FROM ${pairs} WHERE ${ofLinks} AND pair ->> 0 = $3 AND pair ->> 1 <> ''`,
      [projectId, links, name],
    );
  }

  async valuesOf(projectId: string, name: UtmParameter, digests: string[]): Promise<Map<string, string>> {
    const rows = await this.context.read<{ digest: string; value: string }>(
      `SELECT DISTINCT ${digest} AS digest, pair ->> 1 AS value FROM ${pairs}
       WHERE link.project_id = $1 AND link.deleted_at IS NULL AND pair ->> 0 = $2 AND ${digest} = ANY ($3::text[])`,
      [projectId, name, digests],
    );
    return new Map(rows.map(({ digest, value }) => [digest, value]));
  }

  async #text(parts: string, values: string[]): Promise<string> {
    const sql = `SELECT string_agg(part, ',') AS text FROM (${parts}) AS links`;
    const [row] = await this.context.read<{ text: string | null }>(sql, values);
    return row!.text ?? '';
  }
}
