import type { ClicksOfQuarter } from './click-batch';

/** The number of rows that are read at once. A row has clicks of one batch, project and quarter of an hour. */
export const rowsPerPart = 2000;

const clicksPerPart = 50_000;

/** A row of `clicks`, as the copy reads it. */
export interface ClickCopyRow {
  batch_id: string;
  project_id: string;
  at: string;
  dynamic_link_ids: string[];
  short_link_ids: (string | null)[] | null;
  sources: (string | null)[] | null;
  platforms: string[];
  browsers: (string | null)[] | null;
  referrers: (string | null)[] | null;
  countries: (string | null)[] | null;
  bots: (boolean | null)[] | null;
  qrs: (boolean | null)[] | null;
  opened: number[];
  opened_by: number[];
  times: number[];
  moments: number[];
}

export type CopiedClicks = ClicksOfQuarter & { batch: string };

/** Selects the last batch of a part, so that the part has few clicks and whole batches. */
export function lastOf(rows: CopiedClicks[]): string {
  let clicks = 0;
  let last = rows[0]!.batch;
  for (const { batch, moments } of rows) {
    if (batch !== last && clicks >= clicksPerPart) return last;
    last = batch;
    clicks += moments.length;
  }
  // The limit may have cut off the last batch.
  const whole = rows.length < rowsPerPart ? rows : rows.filter(({ batch }) => batch !== last);
  return whole.at(-1)?.batch ?? last;
}

/** Returns the clicks of a row in the form in which they are written. */
export function clicksOf(row: ClickCopyRow): CopiedClicks {
  return {
    batch: row.batch_id,
    projectId: row.project_id,
    at: Number(row.at),
    links: row.dynamic_link_ids.map((id, place) => ({
      id,
      shortLinkId: row.short_link_ids?.[place] ?? null,
      shortLinkSource: row.sources?.[place] ?? null,
    })),
    visitors: row.platforms.map((platform, place) => ({
      client: { platform, browser: row.browsers?.[place] ?? null, robot: row.bots?.[place] ?? false },
      referrer: row.referrers?.[place] ?? null,
      country: row.countries?.[place] ?? null,
      qr: row.qrs?.[place] ?? false,
    })),
    opened: row.opened,
    openedBy: row.opened_by,
    counts: row.times,
    moments: row.moments,
  };
}
