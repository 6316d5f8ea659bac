import type { operations } from '../index.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { saveBody } from './output-file.js';

type Query = NonNullable<operations['getStoreFunnel']['parameters']['query']>;

const groupings = ['platform', 'browser', 'version', 'link'];
const columns = ['shown', 'copied', 'store_opened', 'first_opens'] as const;
const outcomes = ['claimed', 'offline_later', 'none', 'declined', 'expired', 'used'] as const;

export const storeFunnel: Command = {
  name: 'funnel',
  summary: 'count the way through the store to the first launch',
  description:
    'Without --from, the last 30 days are counted. The documentation of deferred deep links has the causes of losses.',
  isReadOnly: true,
  options: {
    from: { value: 'TIME', help: 'start of the period, such as 2026-06-01T00:00:00Z' },
    to: { value: 'TIME', help: 'end of the period' },
    interval: { value: 'LENGTH', choices: ['hour', 'day', 'week', 'month'], help: 'day by default' },
    timezone: { value: 'ZONE', help: 'time zone of the intervals, such as Europe/Berlin; UTC by default' },
    'group-by': { value: 'PROPERTY', choices: groupings, help: `one of ${groupings.join(', ')}` },
    link: { value: 'ID', many: true, help: 'only this link' },
    tag: { value: 'NAME', many: true, help: 'only links that have this tag now' },
    platform: { value: 'NAME', choices: ['ios', 'android'], many: true, help: 'only this platform' },
    browser: { value: 'NAME', many: true, help: 'only the browser of this app' },
    csv: { help: 'print CSV' },
  },
  examples: ['signpost funnel --group-by browser', 'signpost funnel --platform ios --csv'],
  async run(context) {
    const { io, args } = context;
    const { client, path, send } = await context.connect();
    const query = {
      ...Object.fromEntries(['from', 'to', 'interval', 'timezone'].map((name) => [name, args.text(name)])),
      group_by: args.text('group-by'),
      link_id: args.list('link'),
      tag: args.list('tag'),
      platform: args.list('platform'),
      browser: args.list('browser'),
    } as Query;
    const route = '/projects/{projectId}/analytics/store-funnel';
    if (args.flag('csv')) {
      const params = { path, query: { ...query, format: 'csv' as const } };
      await saveBody(io, await send(() => client.GET(route, { params, parseAs: 'stream' })), undefined);
      return exitCodes.done;
    }
    const { data } = await send(() => client.GET(route, { params: { path, query } }));
    if (context.isJson) {
      context.printJson(data);
      return exitCodes.done;
    }
    const { totals, series, groups } = data;
    const head = [...columns, ...outcomes];
    const rows = groups
      ? groups.map((group) => [group.name ?? group.value, ...head.map((name) => group[name])])
      : series.map((point) => [point.start, ...head.map((name) => point[name])]);
    context.printTable(
      [groups ? data.group_by!.toUpperCase() : 'START', ...head.map((name) => name.toUpperCase())],
      rows,
    );
    context.note(`${head.map((name) => `${totals[name]} ${name}`).join(', ')}, from ${data.from}`);
    return exitCodes.done;
  },
};
