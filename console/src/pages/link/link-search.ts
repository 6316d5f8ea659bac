export const linkTabs = ['settings', 'qr', 'short-links', 'clicks'] as const;
export type LinkTab = (typeof linkTabs)[number];

/** Reads the open tab of a link from the address. */
export const linkSearch = (raw: Record<string, unknown>): { tab?: LinkTab } => {
  const tab = linkTabs.find((one) => one === raw['tab']);
  return tab && tab !== 'settings' ? { tab } : {};
};
