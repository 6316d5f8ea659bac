import { randomUUID } from 'node:crypto';
import { resolveApps } from './apply-apps.js';
import { readCurrentLinks } from './apply-current.js';
import { planAsJson, renderPlan, summaryOf } from './apply-diff.js';
import { type LinksFile, mergeLinksFiles, parseLinksFile } from './apply-file.js';
import { planLinks, type Step, stepsOf } from './apply-plan.js';
import { batchesOf, sized } from './batches.js';
import { acknowledgeOption, type Command, yesOption } from './command.js';
import { confirm, requireAnswerer } from './confirm.js';
import type { Connection } from './connection.js';
import type { Context } from './context.js';
import { exitCodes } from './exit-codes.js';
import { Refused, UsageFailure } from './failures.js';
import { hasColours } from './io.js';
import { readText } from './read-input.js';
import { detailLines } from './report-failure.js';
import { counted, printable } from './text.js';

export const apply: Command = {
  name: 'apply',
  summary: 'make links as a file describes them',
  description:
    'FILE is YAML or JSON, and has links by their external ids. The command shows the changes, asks, and makes them. Up to 1,000 ' +
    'changes with 1,990,000 bytes in all are made together or not at all. Links that FILE does not have stay, unless --prune is given.',
  options: {
    file: { value: 'FILE', short: 'f', many: true, help: 'file with links; - for stdin; may be repeated' },
    prune: { help: 'delete links of the scope that no file has and that have an external id' },
    'dry-run': { help: 'show the changes only; exit code 3 if there are any' },
    ...acknowledgeOption,
    ...yesOption,
  },
  examples: ['signpost apply -f links.yaml --dry-run', 'signpost apply -f links.yaml --prune --yes'],
  async run(context) {
    const { io, args } = context;
    const isDryRun = args.flag('dry-run');
    const isPruned = args.flag('prune');
    const { scope, links } = await readFiles(context);
    if (!isDryRun) requireAnswerer(io, args);
    if (isPruned && links.size === 0)
      throw new UsageFailure(
        'The files have no links, so that --prune would delete all; delete links by bulk instead.',
      );
    const service = await context.connect();
    const desired = await resolveApps(service, links);
    const current = await readCurrentLinks(service, new Set(links.keys()), { scope, isPruned });
    const plan = planLinks(desired, current);
    const groups = stepsOf(plan.changes);
    if (!context.isJson) context.print(renderPlan(plan, hasColours(io, io.stdout)));
    const isDone = !isDryRun && plan.changes.length > 0;
    const printMade = (made: number): void => {
      if (!context.isJson) return;
      context.printJson({ plan: planAsJson(plan), applied: made > 0 && made === plan.changes.length, made });
    };
    if (isDone) {
      await confirm(io, args, `Make ${counted(plan.changes.length, 'change')}?`);
      await makeChanges(context, service, groups, printMade);
    }
    printMade(isDone ? plan.changes.length : 0);
    if (!context.isJson && isDone) context.note(`Done: ${summaryOf(plan).replaceAll(' to ', ' ')}.`);
    return isDryRun && plan.changes.length > 0 ? exitCodes.changes : exitCodes.done;
  },
};

async function readFiles({ io, args }: Context): Promise<LinksFile> {
  const names = args.list('file');
  if (names.length === 0) throw new UsageFailure('A file is missing; add -f FILE.');
  const files: LinksFile[] = [];
  for (const name of names) files.push(parseLinksFile(await readText(io, name), name));
  return mergeLinksFiles(files);
}

/**
 * Makes the changes in requests that are atomic.
 * @param onFailure gets the number of changes that were made before the request that failed
 */
async function makeChanges(
  context: Context,
  { client, path, send }: Connection,
  groups: Step[][],
  onFailure: (made: number) => void,
): Promise<void> {
  const key = randomUUID();
  const total = groups.reduce((sum, group) => sum + changesIn(group), 0);
  let done = 0;
  const items = groups.map((group) => ({ ...sized(group), operations: group.length }));
  for await (const batch of batchesOf(items)) {
    const steps = batch.flat();
    const query = { acknowledge: context.args.text('acknowledge') };
    const params = { path, query, header: { 'Idempotency-Key': `${key}-${done}` } };
    const body = { operations: steps.map(({ operation }) => operation), atomic: true };
    try {
      await send(() => client.POST('/projects/{projectId}/links/bulk', { params, body }));
    } catch (error) {
      onFailure(done);
      nameFailedLinks(context, error, steps);
      context.note(`${counted(done, 'change')} of ${total} were made before.`);
      throw error;
    }
    done += batch.reduce((sum, group) => sum + changesIn(group), 0);
    context.progress.show('Changes', done, total);
  }
  context.progress.end();
}

/** A group of several has one operation that only steps aside. */
const changesIn = (group: readonly Step[]): number => Math.max(1, group.length - 1);

function nameFailedLinks(context: Context, error: unknown, steps: readonly Step[]): void {
  if (!(error instanceof Refused) || !error.details || !('operations' in error.details)) return;
  for (const { index, code, message, details } of error.details.operations) {
    const lines = [`${steps[index]!.externalId}: ${code}: ${message}`, ...detailLines(details)];
    context.note(lines.map(printable).join('\n'));
  }
}
