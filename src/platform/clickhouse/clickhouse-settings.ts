/**
 * Whether ClickHouse alone has clicks (`only`), or both stores are written. Statistics then read PostgreSQL (`write`) or
 * ClickHouse (`read`).
 */
export const clickHouseModes = ['only', 'write', 'read'] as const;
export type ClickHouseMode = (typeof clickHouseModes)[number];

export class ClickHouseSettings {
  /** With credentials and database; undefined if PostgreSQL stores clicks. */
  readonly url: URL | undefined;
  readonly mode: ClickHouseMode;
}
