import type { components, operations } from '../index.js';
import { batchesOf } from './batches.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { jsonLinesOf } from './json-lines.js';
import { saveBody } from './output-file.js';
import { openInput } from './read-input.js';
import { detailLines } from './report-failure.js';
import { counted, printable, safeJson } from './text.js';

type Body = components['schemas']['SendConversionsBody'];
type Query = NonNullable<operations['getConversionAnalytics']['parameters']['query']>;
type ExportQuery = NonNullable<operations['exportConversions']['parameters']['query']>;

/** The body has 1,000,000 bytes at most, with the names around the conversions. */
const limits = { operations: 1000, bytes: 990_000 };

const maxShownRefusals = 20;

const groupings = ['event', 'link', 'short_link', 'tag', 'platform', 'variant', 'trusted'];

const period = {
  from: { value: 'TIME', help: 'start of the period, such as 2026-06-01T00:00:00Z' },
  to: { value: 'TIME', help: 'end of the period' },
} as const;

export const conversionsSend: Command = {
  name: 'conversions send',
  summary: 'count the conversions of a file',
  description:
    'FILE, or stdin, has a JSON object on each line: {"click_id":"…","event":"purchase","value":"19.90","currency":"EUR","key":"order-1"}. ' +
    'A key counts once, so the same file can be sent again. With --json, the result of each line is a line on stdout.',
  positionals: [{ name: 'FILE', isOptional: true }],
  options: {},
  examples: ['signpost conversions send orders.ndjson'],
  async run(context) {
    const { io, args, progress } = context;
    const input = await openInput(io, args.positionals[0] ?? '-');
    const { client, path, send } = await context.connect();
    const total = { counted: 0, repeated: 0, refused: 0 };
    for await (const batch of batchesOf(jsonLinesOf(input.stream), limits)) {
      const body = { items: batch.map(({ object }) => object) } as unknown as Body;
      const { data } = await send(() => client.POST('/projects/{projectId}/conversions', { params: { path }, body }));
      data.results.forEach(({ outcome, error }, at) => {
        const { line } = batch[at]!;
        if (context.isJson) context.print(`${safeJson({ line, outcome, error })}\n`);
        if (outcome === 'counted' || outcome === 'repeated') return void total[outcome]++;
        if (++total.refused > maxShownRefusals || context.isJson) return;
        const reasons = error ? [`${outcome}: ${error.message}`, ...detailLines(error.details)] : [outcome];
        context.note([`Line ${line}: ${reasons[0]}`, ...reasons.slice(1)].map(printable).join('\n'));
      });
      progress.show('Conversions', total.counted + total.repeated + total.refused, null);
    }
    context.note(
      `${counted(total.counted, 'conversion')} counted, ${total.repeated} repeated, ${total.refused} refused`,
    );
    return total.refused > 0 ? exitCodes.partial : exitCodes.done;
  },
};

export const conversionsStats: Command = {
  name: 'conversions stats',
  summary: 'count clicks, opens and conversions of the project',
  description: 'Without --from, the last 30 days are counted.',
  isReadOnly: true,
  options: {
    ...period,
    interval: { value: 'LENGTH', choices: ['hour', 'day', 'week', 'month'], help: 'day by default' },
    timezone: { value: 'ZONE', help: 'time zone of the intervals, such as Europe/Berlin; UTC by default' },
    'group-by': { value: 'PROPERTY', choices: groupings, help: `one of ${groupings.join(', ')}` },
    link: { value: 'ID', many: true, help: 'only this link' },
    tag: { value: 'NAME', many: true, help: 'only links that have this tag now' },
    event: { value: 'NAME', many: true, help: 'only this event' },
    'include-untrusted': { help: 'count the conversions of publishable keys' },
  },
  examples: [
    'signpost conversions stats --group-by event',
    'signpost conversions stats --group-by link --event signup',
  ],
  async run(context) {
    const { args } = context;
    const { client, path, send } = await context.connect();
    const query = {
      ...Object.fromEntries(['from', 'to', 'interval', 'timezone'].map((name) => [name, args.text(name)])),
      group_by: args.text('group-by'),
      link_id: args.list('link'),
      tag: args.list('tag'),
      event: args.list('event'),
      include_untrusted: args.flag('include-untrusted'),
    } as Query;
    const { data } = await send(() =>
      client.GET('/projects/{projectId}/analytics/conversions', { params: { path, query } }),
    );
    if (context.isJson) {
      context.printJson(data);
      return exitCodes.done;
    }
    const { totals, series, groups } = data;
    const columns = ['CONVERSIONS', 'REFUNDS', 'VALUE'];
    if (groups)
      context.printTable(
        [data.group_by!.toUpperCase(), 'CLICKS', ...columns],
        groups.map(({ value, name, clicks, ...sums }) => [name ?? value, clicks, ...cellsOf(sums)]),
      );
    else
      context.printTable(
        ['START', ...columns],
        series.map(({ start, ...sums }) => [start, ...cellsOf(sums)]),
      );
    const { clicks, opens, claims, conversions, untrusted } = totals;
    context.note(
      `${clicks} clicks, ${opens} opens, ${claims} claims, ${conversions} conversions, ${untrusted} untrusted, from ${data.from}`,
    );
    return exitCodes.done;
  },
};

type Sums = Pick<components['schemas']['ConversionGroup'], 'conversions' | 'refunds' | 'values'>;

const cellsOf = ({ conversions, refunds, values }: Sums) => [
  conversions,
  refunds,
  values.map(({ currency, value }) => `${value} ${currency}`).join(', '),
];

export const conversionsExport: Command = {
  name: 'conversions export',
  summary: 'save the conversions of the project',
  isReadOnly: true,
  options: {
    ...period,
    format: { value: 'FORMAT', choices: ['csv', 'ndjson'], help: 'csv by default' },
    output: { value: 'FILE', short: 'o', help: 'file; stdout by default' },
  },
  examples: ['signpost conversions export --format ndjson -o conversions.ndjson'],
  async run(context) {
    const { io, args } = context;
    const { client, path, send } = await context.connect();
    const format = (args.text('format') ?? 'csv') as ExportQuery['format'];
    const query: ExportQuery = { from: args.text('from'), to: args.text('to'), format };
    const params = { path, query };
    const body = await send(() =>
      client.GET('/projects/{projectId}/conversions/export', { params, parseAs: 'stream' }),
    );
    const output = args.text('output');
    await saveBody(io, body, output === '-' ? undefined : output);
    return exitCodes.done;
  },
};
