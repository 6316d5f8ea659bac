import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { UtmParameter } from './statistics-filter';

/** A digest that is written like an id. */
const digest = 'md5(pair ->> 1)::uuid::text';

const pairs = 'dynamic_links AS link CROSS JOIN LATERAL jsonb_array_elements(link.referrer_params) AS pair';

/** Reads a parameter of links for a database that takes it for a tag. */
@Injectable()
export class PgLinkParameterRepository {
  constructor(private readonly context: TransactionContext) {}

  of(name: UtmParameter) {
    return {
      /** Returns the ids of links, each followed by the digest of its value, as `PgLinkTagRepository` does. */
      find: async (projectId: string, links: string): Promise<string> => {
        const [row] = await this.context.read<{ valued: string | null }>(
          `SELECT string_agg(concat(link.id, ${digest}), ',') AS valued FROM ${pairs}
           WHERE link.project_id = $1 AND link.id = ANY (string_to_array($2, ',')::uuid[]) AND link.deleted_at IS NULL
             AND pair ->> 0 = $3 AND pair ->> 1 <> ''`,
          [projectId, links, name],
        );
        return row!.valued ?? '';
      },
      /** Returns the values by their digests. */
      valuesOf: async (projectId: string, digests: string[]): Promise<Map<string, string>> => {
        const rows = await this.context.read<{ digest: string; value: string }>(
          `SELECT DISTINCT ${digest} AS digest, pair ->> 1 AS value FROM ${pairs}
           WHERE link.project_id = $1 AND link.deleted_at IS NULL AND pair ->> 0 = $2 AND ${digest} = ANY ($3::text[])`,
          [projectId, name, digests],
        );
        return new Map(rows.map(({ digest, value }) => [digest, value]));
      },
    };
  }
}
