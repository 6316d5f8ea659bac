import type { components } from '../index.js';
import { batchesOf } from './batches.js';
import { acknowledgeOption, type Command } from './command.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { PartlyDone, Refused, UsageFailure } from './failures.js';
import { readIdempotencyKey } from './idempotency-key.js';
import { jsonLinesOf, type NumberedObject } from './json-lines.js';
import { openInput } from './read-input.js';
import { detailLines } from './report-failure.js';
import { counted, printable, safeJson } from './text.js';

type Operation = components['schemas']['BulkLinksBody']['operations'][number];
type Result = components['schemas']['BulkResult'];

/** How far the file was run. */
interface Total {
  succeeded: number;
  failed: number;
  /** Last line of the requests that the service has answered. */
  line: number;
}

const maxShownFailures = 20;

export const bulk: Command = {
  name: 'bulk',
  summary: 'create, update and delete many links',
  description:
    'FILE, or stdin, has a JSON object on each line: {"op":"create","link":{…}}, {"op":"update","id":"…","link":{…}} or ' +
    '{"op":"delete","id":"…"}. They run in their order, up to 1,000 in a request. An operation that fails does not stop others. ' +
    'With --json, the result of each operation is a line on stdout.',
  positionals: [{ name: 'FILE', isOptional: true }],
  options: {
    ...acknowledgeOption,
    atomic: { help: 'undo all operations of a request if one fails, and stop there' },
    'idempotency-key': {
      value: 'KEY',
      help: 'beginning of the keys of the requests, so that the same file can be sent again within 24 hours',
    },
  },
  examples: ['signpost bulk operations.ndjson', 'signpost bulk --json < operations.ndjson > results.ndjson'],
  async run(context) {
    const { io, args, progress } = context;
    // The number of the request follows.
    const key = readIdempotencyKey(args, 240);
    const input = await openInput(io, args.positionals[0] ?? '-');
    const { client, path, send } = await context.connect();
    const total: Total = { succeeded: 0, failed: 0, line: 0 };
    let requests = 0;
    try {
      for await (const batch of batchesOf(jsonLinesOf(input.stream))) {
        const body = { operations: batch.map(({ object }) => object as Operation), atomic: args.flag('atomic') };
        const query = { acknowledge: args.text('acknowledge') };
        const params = { path, query, header: { 'Idempotency-Key': `${key}-${++requests}` } };
        const request = () => client.POST('/projects/{projectId}/links/bulk', { params, body });
        const { data } = await send(request).catch((error: unknown) => {
          nameFailedLines(context, error, batch);
          throw error;
        });
        data.results.forEach((result, at) => report(context, batch[at]!.line, result, total));
        total.line = batch.at(-1)!.line;
        progress.show('Operations', total.succeeded + total.failed, null);
      }
    } catch (error) {
      noteStop(context, total);
      // Nobody must take the file for one of which nothing was run, and send all of it again.
      throw error instanceof UsageFailure && total.line > 0 ? new PartlyDone(error.message) : error;
    }
    noteHiddenFailures(context, total);
    context.note(`${counted(total.succeeded, 'operation')} succeeded, ${total.failed.toLocaleString('en-US')} failed`);
    return total.failed > 0 ? exitCodes.partial : exitCodes.done;
  },
};

function report(context: Context, line: number, result: Result, total: Total): void {
  if (result.error) total.failed++;
  else total.succeeded++;
  if (context.isJson) context.print(`${safeJson({ line, ...result })}\n`);
  else if (result.error && total.failed <= maxShownFailures) noteFailure(context, line, result.error);
}

function noteFailure(context: Context, line: number, { code, message, details }: NonNullable<Result['error']>): void {
  context.note([`Line ${line}: ${code}: ${message}`, ...detailLines(details)].map(printable).join('\n'));
}

/** Names the lines at fault of an atomic request. */
function nameFailedLines(context: Context, error: unknown, batch: readonly NumberedObject[]): void {
  if (!(error instanceof Refused) || error.details === undefined || !('operations' in error.details)) return;
  for (const { index, ...fault } of error.details.operations.slice(0, maxShownFailures))
    noteFailure(context, batch[index]!.line, fault);
}

function noteHiddenFailures(context: Context, { failed }: Total): void {
  if (failed > maxShownFailures && !context.isJson)
    context.note(`… and ${counted(failed - maxShownFailures, 'further failure')}`);
}

/** Says how much of the file was run before the command stopped. A request whose answer is lost may have run too. */
function noteStop(context: Context, total: Total): void {
  const { succeeded, failed, line } = total;
  noteHiddenFailures(context, total);
  const place = line === 0 ? 'Stopped at the first request' : `Stopped after line ${line}`;
  const failures = failed === 0 ? '' : `, and ${failed.toLocaleString('en-US')} of them failed`;
  context.note(`${place}; ${counted(succeeded + failed, 'operation')} were run before${failures}.`);
}
