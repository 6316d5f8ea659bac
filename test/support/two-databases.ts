import type { Pool, QueryConfig } from 'pg';
import { newId } from '../../src/shared/id';
import { createDatabase, type TestDatabase } from './database';
import { aPool } from './pool';
import { documentedRights } from './region-rights';

/** The databases of a primary and a region with the same project and link, for parts of a region without replication. */
export class TwoDatabases {
  readonly projectId = newId();
  readonly linkId = newId();
  /** The id of the region in `click_writers`. */
  readonly writer = newId();
  readonly code = 3;
  /** `primaryOfRegion` has the rights that docs/operating/regions.md gives to the processes of a region. */
  readonly pools: { primary: Pool; region: Pool; primaryOfRegion: Pool };

  private constructor(
    readonly primary: TestDatabase,
    readonly region: TestDatabase,
  ) {
    this.pools = {
      primary: aPool({ connectionString: primary.url }),
      region: aPool({ connectionString: region.url }),
      primaryOfRegion: aPool({ connectionString: `${primary.url}&options=-c%20role%3Dsignpost_eu` }),
    };
  }

  static async create(): Promise<TwoDatabases> {
    const both = new TwoDatabases(await createDatabase(), await createDatabase());
    const account = newId();
    for (const database of [both.primary, both.region]) {
      await database.query("INSERT INTO accounts (id, name, plan) VALUES ($1, 'A', 'enterprise')", [account]);
      const project =
        "INSERT INTO projects (id, account_id, user_id, name, subdomain) VALUES ($1, $2, $2, 'P', 'shop')";
      await database.query(project, [both.projectId, account]);
      const link = "INSERT INTO dynamic_links (id, project_id, name, custom_path) VALUES ($1, $2, 'L', 'summer')";
      await database.query(link, [both.linkId, both.projectId]);
    }
    const region = "INSERT INTO regions (code, name, writer) VALUES ($1, 'eu', $2)";
    await both.primary.query(region, [both.code, both.writer]);
    await both.primary.query(
      `DO $$ BEGIN ${documentedRights.role} EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`,
    );
    await both.primary.query(documentedRights.grants);
    return both;
  }

  async drop(): Promise<void> {
    await Promise.all(Object.values(this.pools).map((pool) => pool.end()));
    await Promise.all([this.primary.drop(), this.region.drop()]);
  }
}

/** Returns a pool whose statements run, and of which the answer to the first that matches is lost. */
export function losingAnswer(pool: Pool, statement: RegExp): Pool {
  let isLost = false;
  const query = async (sql: string | QueryConfig, values?: unknown[]) => {
    const answer = await pool.query(sql, values);
    if (isLost || !statement.test(typeof sql === 'string' ? sql : sql.text)) return answer;
    isLost = true;
    throw new Error('Connection terminated unexpectedly');
  };
  return { query } as unknown as Pool;
}
