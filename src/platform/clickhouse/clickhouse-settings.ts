export class ClickHouseSettings {
  /** With credentials and database; undefined if PostgreSQL stores clicks. */
  readonly url: URL | undefined;
  /** The cluster whose servers have the tables; undefined for one server. */
  readonly cluster: string | undefined;
}
