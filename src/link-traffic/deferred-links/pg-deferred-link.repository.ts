import type { Pool } from 'pg';
import { clickIdOf, digestOfClickId } from '../../clicks/conversions/click-id';
import { linkParamsSql } from '../../links/link-templates/template-params-sql';
import { outsideRequests } from '../../platform/postgres/request-context';
import {
  type ClaimedLink,
  type DeferredLink,
  digestOfToken,
  keptAfterExpiryMs,
  plainClaim,
  tokenLifetimeMs,
  type TokenVisit,
} from './deferred-link';
import { type DeferredLinkRepository } from './deferred-link.repository';

/** Counts the steps of inserted tokens in their statement, so that no token counts twice or not at all. */
const countedSteps = `SELECT record_app_events(
    array_agg(sha256(token_digest || convert_to(step, 'UTF8'))), array_agg(step), array_agg(inserted.project_id), array_agg(inserted.dynamic_link_id),
    array_agg(inserted.clicked_at), array_agg(CASE WHEN lifetime > $8 THEN 'android' ELSE 'ios' END), array_agg(''::text), array_agg(''::text),
    array_agg(''::text), array_agg(inserted.browser), array_agg(1), true)
  FROM inserted JOIN visit USING (token_digest) HAVING count(*) > 0`;

/** Counts a claim in its statement, so that no claim counts twice or not at all. The id of the event is the digest of the token. */
const counted =
  ", record_app_events(ARRAY[$1], ARRAY['claim'], ARRAY[$2::uuid], ARRAY[id], ARRAY[now()], ARRAY[platform], ARRAY[''], ARRAY[$5::text], ARRAY[''], ARRAY[''], ARRAY[1])";

/** Stores the click id of a claim in its statement. In a region, it is on its way to the primary then. */
const issued =
  ", CASE WHEN conversions THEN record_click_ids(ARRAY[$6::bytea], ARRAY[$2::uuid], ARRAY[id], ARRAY[NULL::uuid], ARRAY[platform], ARRAY[NULL], ARRAY[(now() AT TIME ZONE 'UTC')::date]) END";

/** Uses `pg` directly, because link traffic has a separate pool outside TypeORM. */
export class PgDeferredLinkRepository implements DeferredLinkRepository {
  /** @param countsClaims whether statistics count claims and steps */
  constructor(
    private readonly pool: Pool,
    private readonly countsClaims = true,
  ) {}

  async insertAll(links: readonly DeferredLink[]): Promise<void> {
    // Outside the request context, because one write serves many visits.
    await outsideRequests(() =>
      this.pool.query(
        `WITH visit AS MATERIALIZED (
         SELECT * FROM unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::float8[], $5::float8[], $6::text[], $7::text[])
           AS visit (token_digest, project_id, dynamic_link_id, age, lifetime, browser, step)
       ), inserted AS (
         INSERT INTO deferred_links (token_digest, project_id, dynamic_link_id, clicked_at, expires_at, browser)
         SELECT token_digest, project_id, dynamic_link_id, clicked_at, clicked_at + lifetime * interval '1 millisecond', browser
         FROM visit
         CROSS JOIN LATERAL (SELECT now() - age * interval '1 millisecond' AS clicked_at) AS click
         JOIN projects ON projects.id = visit.project_id AND projects.deleted_at IS NULL
         ON CONFLICT DO NOTHING RETURNING *
       ) ${this.countsClaims ? countedSteps : 'SELECT WHERE $8::float8 IS NULL'}`,
        [
          links.map((link) => digestOfToken(link.token)),
          links.map((link) => link.projectId),
          links.map((link) => link.dynamicLinkId),
          links.map((link) => performance.now() - link.visitedAtMs),
          links.map((link) => link.lifetimeMs),
          links.map((link) => link.browser),
          links.map((link) => link.step),
          tokenLifetimeMs.ios,
        ],
      ),
    );
  }

  async claim(projectId: string, token: string, { country, id } = plainClaim): Promise<ClaimedLink | null> {
    const clickId = clickIdOf(token);
    // The row of a claimed token matches the same claim only, even if the clock of the database is set back.
    const { rows } = await this.pool.query<{
      custom_path: string;
      external_id: string | null;
      conversions: boolean;
      referrer_params: [string, string][] | null;
      app_data: string | null;
      clicked_at: Date;
    }>(
      `WITH issued AS MATERIALIZED (
         SELECT token_digest, CASE WHEN expires_at - clicked_at > $3 * interval '1 millisecond' THEN 'android' ELSE 'ios' END AS platform
         FROM deferred_links WHERE token_digest = $1
       ), claimed AS (
         UPDATE deferred_links AS deferred SET expires_at = clicked_at, claimed_at = coalesce(claimed_at, now()), claim_digest = $4::bytea
         FROM issued, dynamic_links AS link
         WHERE deferred.token_digest = issued.token_digest AND deferred.project_id = $2 AND moved_at IS NULL
           AND (expires_at > greatest(now(), clicked_at) OR (claim_digest = $4 AND claimed_at > now() - interval '1 hour'))
           AND link.project_id = deferred.project_id AND link.id = dynamic_link_id AND link.deleted_at IS NULL AND NOT link.disabled
           AND link.password_hash IS NULL AND link.click_limit IS NULL
         RETURNING link.id, platform, link.custom_path, link.external_id,
                   ${linkParamsSql} AS referrer_params, link.app_data, clicked_at,
                   link.conversions OR (SELECT conversions FROM projects WHERE projects.id = $2) AS conversions
       )
       SELECT custom_path, external_id, referrer_params, app_data, clicked_at, conversions${this.countsClaims ? counted + issued : ''} FROM claimed`,
      [
        digestOfToken(token),
        projectId,
        tokenLifetimeMs.ios,
        id === null ? null : digestOfToken(`${token} ${id}`),
        ...(this.countsClaims ? [country ?? '', digestOfClickId(clickId)] : []),
      ],
    );
    const row = rows[0];
    return row
      ? {
          customPath: row.custom_path,
          externalId: row.external_id,
          referrerParams: row.referrer_params ?? [],
          appData: row.app_data,
          clickedAt: row.clicked_at,
          clickId: this.countsClaims && row.conversions ? clickId : null,
        }
      : null;
  }

  async find(projectId: string, token: string): Promise<TokenVisit | null> {
    const { rows } = await this.pool.query<TokenVisit>(
      `SELECT dynamic_link_id AS "dynamicLinkId", browser, expires_at > now() AS "isValid",
              CASE WHEN expires_at - clicked_at > $3 * interval '1 millisecond' THEN 'android' ELSE 'ios' END AS platform
       FROM deferred_links WHERE token_digest = $1 AND project_id = $2`,
      [digestOfToken(token), projectId, tokenLifetimeMs.ios],
    );
    return rows[0] ?? null;
  }

  async isMoved(token: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'SELECT FROM deferred_links WHERE token_digest = $1 AND moved_at IS NOT NULL',
      [digestOfToken(token)],
    );
    return rowCount === 1;
  }

  async purgeExpired(limit: number): Promise<number> {
    await this.pool.query(
      "DELETE FROM deferred_link_requests WHERE coalesce(expires_at, requested_at) < now() - interval '1 hour'",
    );
    const { rowCount } = await this.pool.query(
      `DELETE FROM deferred_links WHERE token_digest IN (
         SELECT token_digest FROM deferred_links WHERE expires_at <= now() - $1 * interval '1 millisecond'
           AND coalesce(claimed_at, expires_at) <= now() - $1 * interval '1 millisecond'
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )`,
      [keptAfterExpiryMs, limit],
    );
    return rowCount ?? 0;
  }
}
