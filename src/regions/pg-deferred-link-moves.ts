import type { Pool } from 'pg';
import { columnArrays } from '../platform/postgres/column-arrays';

const maxTokens = 1000;

interface Token {
  digest: Buffer;
  project_id: string;
  dynamic_link_id: string;
  clicked_at: Date;
  expires_at: Date;
  browser: string;
}

/**
 * Moves tokens from a region to its primary. A token is marked in the region first, so that it cannot be claimed there any more. The
 * primary takes it once, so that sending it again after a lost answer changes nothing.
 */
export class PgDeferredLinkMoves {
  constructor(
    private readonly region: Pool,
    private readonly primary: Pool,
    private readonly code: number,
  ) {}

  /** Answers the requests of the primary, with the tokens or without. */
  async answer(requested: Buffer[]): Promise<void> {
    if (requested.length === 0) return;
    await this.#send(await this.#mark('token_digest = ANY($1) AND expires_at > now()', [requested]));
    await this.primary.query(
      'UPDATE deferred_link_requests SET answered_at = now() WHERE region = $1 AND token_digest = ANY($2) AND answered_at IS NULL',
      [this.code, requested],
    );
  }

  /** Moves all tokens, before the region is removed. Returns their number. */
  async moveAll(): Promise<number> {
    await this.#sendAll('moved_at IS NOT NULL AND expires_at > now()');
    return this.#sendAll('moved_at IS NULL AND expires_at > now()');
  }

  async countKept(): Promise<number> {
    const { rows } = await this.region.query<{ tokens: string }>(
      'SELECT count(*) AS tokens FROM deferred_links WHERE moved_at IS NULL AND expires_at > now()',
    );
    return Number(rows[0]!.tokens);
  }

  async #sendAll(condition: string): Promise<number> {
    let last: Buffer = Buffer.alloc(0);
    for (let sent = 0; ;) {
      const tokens = await this.#mark(
        `token_digest IN (SELECT token_digest FROM deferred_links WHERE token_digest > $1 AND ${condition} ORDER BY 1 LIMIT ${maxTokens})`,
        [last],
      );
      if (tokens.length === 0) return sent;
      await this.#send(tokens);
      sent += tokens.length;
      last = tokens
        .map(({ digest }) => digest)
        .sort((one, other) => Buffer.compare(one, other))
        .at(-1)!;
    }
  }

  async #mark(condition: string, values: unknown[]): Promise<Token[]> {
    const { rows } = await this.region.query<Token>(
      `UPDATE deferred_links SET moved_at = coalesce(moved_at, now()) WHERE ${condition}
       RETURNING token_digest AS digest, project_id, dynamic_link_id, clicked_at, expires_at, browser`,
      values,
    );
    return rows;
  }

  async #send(tokens: Token[]): Promise<void> {
    if (tokens.length === 0) return;
    await this.primary.query('SELECT receive_deferred_links($1, $2, $3, $4, $5, $6, $7)', [
      this.code,
      ...columnArrays(tokens, ['digest', 'project_id', 'dynamic_link_id', 'clicked_at', 'expires_at', 'browser']),
    ]);
  }
}
