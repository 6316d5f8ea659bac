import type { ListedGroup } from './counted-statistics';
import { maxGroups } from './statistics';

interface TagSums {
  value: string;
  clicks: number;
  qrScans: number;
  parts: Map<number, number>;
}

/**
 * Groups the sums of links by their tags. They overlap, because a link counts in each of its tags.
 * @param tagsOf the tags of links; a link without an entry has none
 */
export function groupsByTag(links: ListedGroup[], tagsOf: ReadonlyMap<string, string[]>): ListedGroup[] {
  const sums = new Map<string, TagSums>();
  for (const link of links)
    for (const value of tagsOf.get(link.value) ?? ['']) {
      const tag = sums.get(value) ?? { value, clicks: 0, qrScans: 0, parts: new Map<number, number>() };
      sums.set(value, tag);
      tag.clicks += link.clicks;
      tag.qrScans += link.qrScans;
      for (const [at, part] of link.parts.entries())
        tag.parts.set(part, (tag.parts.get(part) ?? 0) + link.partClicks[at]!);
    }
  const tags = [...sums.values()].sort((one, other) => other.clicks - one.clicks || (one.value < other.value ? -1 : 1));
  const total = (of: 'clicks' | 'qrScans') => tags.reduce((sum, tag) => sum + tag[of], 0);
  const [allClicks, allQrScans] = [total('clicks'), total('qrScans')];
  return tags.slice(0, maxGroups).map(({ value, clicks, qrScans, parts }) => ({
    value,
    clicks,
    qrScans,
    groups: tags.length,
    parts: [...parts.keys()],
    partClicks: [...parts.values()],
    allClicks,
    allQrScans,
  }));
}
