import type { Import, ImportRow } from '../index.js';
import type { Context } from './context.js';
import type { Connection } from './connection.js';
import { saveBody } from './output-file.js';

export const shownRows = 10;
const faulty = ['refused', 'conflict'] as const;

/** Whether the service still has its rows. It removes those of failed and cancelled imports. */
export const hasRows = ({ state }: Import): boolean => state !== 'failed' && state !== 'cancelled';

/** Reads the first refused and conflicting rows. */
export async function readFaultyRows(service: Connection, job: Import): Promise<ImportRow[]> {
  const { id, counts } = job;
  const rows: ImportRow[] = [];
  if (!hasRows(job)) return rows;
  for (const outcome of faulty) {
    if (counts[outcome] === 0) continue;
    const params = { path: { ...service.path, importId: id }, query: { outcome, limit: shownRows } };
    const request = () => service.client.GET('/projects/{projectId}/imports/{importId}/rows', { params });
    rows.push(...(await service.send(request)).data);
  }
  return rows;
}

/** Prints the rows by outcome, and the first ones at fault. */
export function printSummary(context: Context, title: string, job: Import, rows: readonly ImportRow[]): void {
  const { counts, rows: total, unmapped } = job;
  context.print(`${title}\n`);
  context.printTable(
    ['OUTCOME', 'ROWS'],
    [...Object.entries(counts), ['all', total]].map(([name, count]) => [name!, count!]),
  );
  if (hasRows(job)) printUnmapped(context, unmapped);
  if (rows.length === 0) return;
  context.print('\n');
  context.printTable(
    ['ROW', 'OUTCOME', 'FIELD', 'REASON'],
    rows.flatMap(({ row, outcome, problems }) => problems.map(({ field, reason }) => [row, outcome, field, reason])),
  );
  const hidden = counts.refused + counts.conflict - rows.length;
  if (hidden > 0) context.print(`… and ${hidden.toLocaleString('en-US')} more; --report FILE saves all of them.\n`);
}

/** Prints the apps that the project lacks, and the fields that have no place in a link. */
function printUnmapped(context: Context, { missing_apps: apps, fields, complete }: Import['unmapped']): void {
  if (apps.length > 0) {
    context.print('\n');
    const cells = apps.map(({ platform, identifier, rows }) => [identifier, platform, rows]);
    context.printTable(['MISSING APP', 'PLATFORM', 'ROWS'], cells);
  }
  if (fields.length > 0) {
    context.print('\n');
    const cells = fields.map(({ field, rows, example }) => [field, rows, example]);
    context.printTable(['FIELD WITHOUT A PLACE', 'ROWS', 'FOR EXAMPLE'], cells);
  }
  if (!complete) context.print('… and more; --report FILE saves all of them.\n');
}

/** Saves all rows with their outcomes as CSV. */
export async function saveReport({ io }: Context, service: Connection, importId: string, file: string): Promise<void> {
  const params = { path: { ...service.path, importId } };
  const route = '/projects/{projectId}/imports/{importId}/report';
  await saveBody(io, await service.send(() => service.client.GET(route, { params, parseAs: 'stream' })), file);
}
