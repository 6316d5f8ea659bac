/** Describes something that a test looked at, such as the pages of a browser. */
export type FailureReport = () => Promise<string>;

/** The reports that the output of a failed test contains besides its error. Specs add and remove their own. */
export const failureReports = new Set<FailureReport>();

/** Returns all reports. One that fails, because its subject has ended, is left out. */
export async function readFailureReports(): Promise<string[]> {
  const reports = await Promise.allSettled([...failureReports].map((report) => report()));
  return reports.flatMap((report) => (report.status === 'fulfilled' ? [report.value] : []));
}
