import { setTimeout as delay } from 'node:timers/promises';
import type { Import } from '../index.js';
import type { Connection } from './connection.js';
import { eventsOf } from './event-stream.js';
import { Interrupted } from './failures.js';
import type { Io } from './io.js';
import type { Progress } from './progress.js';

const pauseMs = 1000;

/** Waits until neither dry run nor run of an import works, and shows the progress. */
export async function watchImport(io: Io, progress: Progress, service: Connection, importId: string): Promise<Import> {
  const { client } = service;
  const params = { path: { ...service.path, importId } };
  const route = '/projects/{projectId}/imports/{importId}';
  for (;;) {
    const stream = await service.send(() => client.GET(`${route}/events`, { params, parseAs: 'stream' }));
    try {
      for await (const { event, data } of eventsOf(stream as unknown as AsyncIterable<Uint8Array>)) {
        const job = JSON.parse(data) as Import;
        showProgress(progress, job);
        if (event === 'done') return job;
      }
    } catch (error) {
      if (io.signal.aborted) throw new Interrupted('The command was interrupted.');
      // A connection may break at any time. The import tells whether it goes on.
      if (error instanceof SyntaxError) throw error;
    }
    const { data: job } = await service.send(() => client.GET(route, { params }));
    if (!['uploading', 'checking', 'running'].includes(job.state)) return job;
    await delay(pauseMs, undefined, { signal: io.signal }).catch(() => {
      throw new Interrupted('The command was interrupted.');
    });
  }
}

/** Shows the part that is done; without one, the rows that were read. */
export function showProgress(line: Progress, { state, processed, progress, remaining_seconds: seconds }: Import): void {
  const label = state === 'running' ? 'Run' : 'Dry run';
  const [done, total] = progress === null ? [processed, null] : [progress, 1];
  line.show(label, done, total, seconds === null ? '' : `${seconds} s left`);
}
