/** How much of a client's address the journal keeps. */
export const keptAddresses = ['whole', 'shortened', 'none'] as const;

export class JournalSettings {
  readonly retentionMonths: number;
  readonly addresses: (typeof keptAddresses)[number];
}
