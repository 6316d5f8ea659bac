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

/** The state of the page for a new link. */
export interface NewLinkSearch {
  /** Id of the link that the new one is like. */
  copy?: string;
}

export const newLinkSearch = (raw: Record<string, unknown>): NewLinkSearch =>
  typeof raw['copy'] === 'string' && raw['copy'] !== '' ? { copy: raw['copy'] } : {};
