import type { Import } from '../model/import';
import { ImportDto } from './imports.dto';

/** Streams of events that an account, and a process, have at once. Each reads the database twice a second. */
export const maxStreams = { ofAccount: 5, ofProcess: 50 };

/** Writes the states of an import as server-sent events, and a comment while nothing changes. */
export async function* importEvents(jobs: AsyncIterable<Import | null>): AsyncGenerator<string> {
  for await (const job of jobs) {
    if (job === null) yield ': quiet\n\n';
    else {
      const event = job.isActive || job.state === 'uploading' ? 'progress' : 'done';
      yield `event: ${event}\ndata: ${JSON.stringify(ImportDto.of(job))}\n\n`;
    }
  }
}
