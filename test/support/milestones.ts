import type { Cluster } from './cluster';

/** Selects the milestones of links. It is never sent to, because it is disabled. */
export const selectingWebhook = { url: 'https://hooks.example.com/', event_types: ['link.*'], enabled: false };

/** Returns the milestones that the journal has, by link and event, such as `… click`: `1 100`. */
export async function milestonesIn(cluster: Cluster): Promise<Map<string, string>> {
  const columns = 'resource_id, type, after';
  const rows = await cluster.query<{ name: string; counts: string }>(
    `SELECT resource_id || ' ' || substring(type FROM 'link.(.*)s_reached') AS name, string_agg(after->>'count', ' ' ORDER BY (after->>'count')::int) AS counts
     FROM (SELECT ${columns} FROM journal UNION ALL SELECT ${columns} FROM journal_inbox) AS entry WHERE type LIKE 'link.%_reached' GROUP BY 1`,
  );
  return new Map(rows.map(({ name, counts }) => [name, counts]));
}

/** Returns the milestones of a link that was counted so often. */
export const milestonesUpTo = (times: number): string =>
  [1, 100, 1000, 10_000, 100_000, 1_000_000].filter((milestone) => milestone <= times).join(' ');
