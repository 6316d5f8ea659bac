import { clickColumns } from './click';
import type { ClicksOfQuarter } from './click-batch';

export const clickHouseColumns = ['project_id', ...clickColumns, 'clicked_at'] as const;

/**
 * Returns a line for each click, in the format TabSeparated. It escapes nothing, because a click has ids, words of closed lists and
 * hosts only.
 */
export function clickHouseRows(quarters: ClicksOfQuarter[]): string {
  let text = '';
  for (const { projectId, at, links, visitors, opened, openedBy, counts, moments } of quarters) {
    const starts = links.map(
      ({ id, shortLinkId, shortLinkSource }) => `${projectId}\t${id}\t${shortLinkId ?? ''}\t${shortLinkSource ?? ''}\t`,
    );
    const ends = visitors.map(
      ({ client, referrer, country, qr }) =>
        `${client.platform}\t${client.browser ?? ''}\t${referrer ?? ''}\t${country ?? ''}\t${client.robot}\t${qr}\t`,
    );
    let next = 0;
    for (const [group, count] of counts.entries()) {
      const line = starts[opened[group]! - 1]! + ends[openedBy[group]! - 1]!;
      for (const last = next + count; next < last; next++) text += `${line}${secondsOf(at + moments[next]!)}\n`;
    }
  }
  return text;
}

/** Writes seconds since 1970 (UTC) with three digits after the point. */
function secondsOf(milliseconds: number): string {
  const digits = String(milliseconds);
  return `${digits.slice(0, -3)}.${digits.slice(-3)}`;
}
