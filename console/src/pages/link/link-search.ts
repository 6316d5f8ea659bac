import { type ClicksSearch, clicksSearch } from '../../clicks/clicks-search';

export const linkTabs = ['settings', 'qr', 'short-links', 'clicks'] as const;
export type LinkTab = (typeof linkTabs)[number];

/** The state of the page of a link, which its address contains. */
export interface LinkSearch extends ClicksSearch {
  tab?: LinkTab;
}

/** Reads the address. Values that it does not understand are left out. */
export function linkSearch(raw: Record<string, unknown>): LinkSearch {
  const tab = linkTabs.find((one) => one === raw['tab']);
  return { ...(tab && tab !== 'settings' && { tab }), ...clicksSearch(raw) };
}
