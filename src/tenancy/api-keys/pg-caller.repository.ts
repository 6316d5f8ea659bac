import { Injectable } from '@nestjs/common';
import type { Plan } from '../accounts/plan';
import { BatchLoader } from '../../platform/tables/batch-loader';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import type { Scope } from '../../api-kit/policy/policy';
import { type Rights, unlimitedRights } from '../../api-kit/policy/rights';
import { networksOf } from './allowed-networks';
import { stoppedOf } from '../accounts/caller';
import { CallerRepository, type KnownKey } from './caller.repository';

interface KeyLimits {
  scopes: Scope[] | null;
  project_ids: string[] | null;
  allowed_networks: string[] | null;
  destination_hosts: string[] | null;
  allowed_origins: string[] | null;
  links_per_day: number | null;
}

function rightsOfKey(limits: KeyLimits): Rights {
  const { scopes, project_ids, allowed_networks, destination_hosts, allowed_origins, links_per_day } = limits;
  // A publishable key has all of them but the networks.
  if (!scopes && !project_ids && !allowed_networks && !destination_hosts) return unlimitedRights;
  return {
    ...unlimitedRights,
    scopes: scopes && new Set(scopes),
    projectIds: project_ids && new Set(project_ids),
    networks: allowed_networks && networksOf(allowed_networks),
    destinationHosts: destination_hosts,
    publishable: allowed_origins && { origins: new Set(allowed_origins), linksPerDay: links_per_day },
  };
}

interface KeyRow extends KeyLimits {
  digest: string;
  id: string;
  account_id: string;
  user_id: string;
  plan: Plan;
  frozen: boolean;
  disabled: boolean;
  valid_for_ms: number | null;
}

@Injectable()
export class PgCallerRepository implements CallerRepository {
  /** Batches look-ups, so that guessing keys costs one query per turn of the event loop. */
  readonly #callers: BatchLoader<KnownKey>;

  constructor(private readonly context: TransactionContext) {
    this.#callers = new BatchLoader((digests) => this.#findAll(digests));
  }

  find(digest: Buffer): Promise<KnownKey | null> {
    return this.#callers.find(digest.toString('hex'));
  }

  async #findAll(digests: string[]): Promise<Map<string, KnownKey>> {
    const sentAtMs = performance.now();
    const rows = await this.context.read<KeyRow>(
      `SELECT encode(k.digest, 'hex') AS digest, k.id, k.account_id, k.user_id, a.plan, a.frozen, a.disabled, k.scopes, k.project_ids, k.allowed_networks, k.destination_hosts,
              k.allowed_origins, k.links_per_day,
              extract(epoch FROM ends.at - now())::float8 * 1000 AS valid_for_ms
       FROM api_keys k JOIN accounts a ON a.id = k.account_id
       CROSS JOIN LATERAL (SELECT least(k.expires_at, k.created_at + make_interval(days => a.max_key_age_days)) AS at) AS ends
       WHERE k.digest = ANY ($1::bytea[]) AND k.revoked_at IS NULL AND (ends.at IS NULL OR ends.at > now())`,
      [digests.map((digest) => Buffer.from(digest, 'hex'))],
    );
    return new Map(
      rows.map((row) => [
        row.digest,
        {
          caller: {
            accountId: row.account_id,
            plan: row.plan,
            userId: row.user_id,
            apiKeyId: row.id,
            rights: rightsOfKey(row),
            stopped: stoppedOf(row),
          },
          validUntilMs: sentAtMs + (row.valid_for_ms ?? Infinity),
        },
      ]),
    );
  }

  async touch(lastUses: ReadonlyMap<string, number>): Promise<void> {
    await this.context.write(
      `UPDATE api_keys SET last_used_at = used.at
       FROM (
         SELECT id, date_trunc('minute', now() - age * interval '1 millisecond', 'UTC') AS at
         FROM unnest($1::uuid[], $2::float8[]) AS use (id, age)
       ) AS used
       WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`,
      [[...lastUses.keys()], Array.from(lastUses.values(), (at) => performance.now() - at)],
    );
  }
}
