import { retried } from '../../api-kit/kit/long-requests';
import type { JournalEntry, JournalFilter } from './journal-entry';
import type { PgJournalRepository } from './pg-journal.repository';

/** Entries per statement. A batch has up to some megabytes of rows. */
const entriesPerRead = 100;

/** Returns the entries as lines of JSON, newest first, with the rows of batches. */
export async function* linesOfJournal(
  journal: PgJournalRepository,
  accountId: string,
  filter: JournalFilter,
  render: (entry: JournalEntry) => object,
): AsyncGenerator<string> {
  await retried(() => journal.seal());
  let before: number | null = null;
  for (;;) {
    const entries = await retried(() => journal.listWithRows(accountId, filter, before, entriesPerRead));
    yield entries.map((entry) => `${JSON.stringify({ ...render(entry), rows: entry.rows })}\n`).join('');
    if (entries.length < entriesPerRead) return;
    before = entries.at(-1)!.sequence;
  }
}
