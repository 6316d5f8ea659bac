/** Returns the page of help for a runbook, such as `docs/operating/alerts.md#first-steps-for-any-alert`. */
export function placeOfRunbook(runbook: string): { page: string; hash: string } {
  const [file = '', hash = ''] = runbook.split('#');
  return { page: file.replace(/^docs\//, '').replace(/\.md$/, ''), hash };
}
