/** Names in `sessionStorage`, which the browser keeps for the tab and deletes with it. */
export const stored = {
  key: 'signpost.api-key',
  /** Whether the tab was signed in at the provider, so that a reload asks it without showing its pages. */
  resume: 'signpost.resume',
} as const;
