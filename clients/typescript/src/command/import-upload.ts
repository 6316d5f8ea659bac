import { extname } from 'node:path';
import { Readable } from 'node:stream';
import type { Import, operations } from '../index.js';
import type { Context } from './context.js';
import type { Connection } from './connection.js';
import { Interrupted, Refused, Unreachable, UsageFailure } from './failures.js';
import { openInput, readText } from './read-input.js';
import { UploadInterruption } from './upload-interruption.js';

export type ImportQuery = NonNullable<operations['createImport']['parameters']['query']>;

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

export const importFormats = Object.keys(mediaTypes);

/** Returns the media type by `--format`, or by the end of the file's name. */
export function mediaTypeOf(file: string, format: string | undefined): string {
  const extension = extname(file).slice(1).toLowerCase();
  const type = mediaTypes[format ?? (extension === 'jsonl' ? 'ndjson' : extension === 'tsv' ? 'csv' : extension)];
  if (type === undefined)
    throw new UsageFailure(`The form of ${file} is unknown; add --format ${importFormats.join(', ')}.`);
  return type;
}

/** Returns the query of the upload. `--columns` is JSON, or a file with it. */
export async function importQueryOf({ io, args }: Context): Promise<ImportQuery> {
  const columns = args.text('columns');
  const options = {
    ...(columns !== undefined && {
      columns: parseColumns(columns.startsWith('{') ? columns : await readText(io, columns)),
    }),
    ...(args.text('time-zone') !== undefined && { time_zone: args.text('time-zone') }),
    ...(args.text('date-format') !== undefined && { date_format: args.text('date-format') }),
    ...(args.text('encoding') !== undefined && { encoding: args.text('encoding') }),
  };
  return {
    source: (args.text('source') ?? 'signpost') as ImportQuery['source'],
    conflict: (args.text('conflict') ?? 'skip') as ImportQuery['conflict'],
    ...(Object.keys(options).length > 0 && { options: JSON.stringify(options) }),
  };
}

/**
 * Sends a request that `fetch` never repeats. It keeps a copy of the body of others, so that a large file would fill the memory
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
 */
const fetchOnce: typeof fetch = (request) => fetch(request, { redirect: 'error', window: null });

function parseColumns(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFailure(`--columns is no JSON: ${(error as Error).message}`);
  }
}

/** Sends a file as a stream, so that its size does not matter. It is sent once, because stdin cannot be read again. */
export async function uploadFile(context: Context, service: Connection, file: string): Promise<Import> {
  const { io, args, progress } = context;
  const type = mediaTypeOf(file, args.text('format'));
  const query = await importQueryOf(context);
  let isSent = false;
  const attempt = async () => {
    const { stream, bytes } = await openInput(io, file);
    const interruption = new UploadInterruption(io.signal);
    const chunks = interruption.noteEnd(counted(stream, (sent) => progress.show('Upload', sent, bytes)));
    const body = Readable.toWeb(Readable.from(chunks));
    const request = {
      params: { path: service.path, query },
      headers: { 'Content-Type': type },
      body,
      bodySerializer: (sent: unknown) => sent as ReadableStream,
      // `fetch` requires it for streams, and some types of browsers lack it.
      duplex: 'half' as const,
      fetch: fetchOnce,
      signal: interruption.signal,
    };
    try {
      return await service.client.POST('/projects/{projectId}/imports', request);
    } finally {
      ({ isSent } = interruption);
      interruption.end();
      if (file !== '-') stream.destroy();
      progress.end();
    }
  };
  try {
    return (await service.send(attempt, { isRepeatable: false, isRetried: file !== '-' })).data;
  } catch (error) {
    if (isSent && isLostAnswer(error))
      context.note(
        'The service may have the import all the same. Cancel it in the console, or continue it with --resume.',
      );
    throw error;
  }
}

/** Returns whether the service may have done what was asked. It refuses with 429 and 503 before it does anything. */
const isLostAnswer = (error: unknown): boolean =>
  error instanceof Refused
    ? [502, 504].includes(error.status)
    : error instanceof Unreachable || error instanceof Interrupted;

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}
