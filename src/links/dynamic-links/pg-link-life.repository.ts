import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';

export const lifeStates = ['not_begun', 'active', 'ended', 'used_up', 'disabled'] as const;

/** The counts of a link that ends, and whether it has ended now. */
export interface LinkLife {
  state: (typeof lifeStates)[number];
  clicksUsed: number;
  endedVisits: number;
}

@Injectable()
export class PgLinkLifeRepository {
  constructor(private readonly context: TransactionContext) {}

  /** Returns null if the project has no such link. */
  async find(projectId: string, id: string): Promise<LinkLife | null> {
    const [row] = await this.context.read<LinkLife>(
      `SELECT CASE WHEN disabled THEN 'disabled' WHEN active_from > now() THEN 'not_begun' WHEN used_up THEN 'used_up'
                   WHEN active_until <= now() THEN 'ended' ELSE 'active' END AS state,
              coalesce(clicks, 0)::float8 AS "clicksUsed", coalesce(ended_visits, 0)::float8 AS "endedVisits"
       FROM dynamic_links LEFT JOIN link_uses ON dynamic_link_id = id
       WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [projectId, id],
    );
    return row ?? null;
  }
}
