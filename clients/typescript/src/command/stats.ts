import type { components, operations } from '../index.js';
import type { Command } from './command.js';
import { exitCodes } from './exit-codes.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { saveBody } from './output-file.js';

type Query = NonNullable<operations['getProjectAnalytics']['parameters']['query']>;

type Analytics = components['schemas']['Analytics'];

const ofProject = '/projects/{projectId}/analytics';

const groupings = ['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source', 'tag', 'version'];

const metrics = ['clicks', 'opens', 'claims'];

export const stats: Command = {
  name: 'stats',
  summary: 'count clicks of the project, or of a link',
  description: `Without --from, clicks of the last 30 days are counted. ${namedLinkHelp}`,
  positionals: [{ name: 'LINK', isOptional: true }],
  isReadOnly: true,
  options: {
    from: { value: 'TIME', help: 'start of the period, such as 2026-06-01T00:00:00Z' },
    to: { value: 'TIME', help: 'end of the period; now by default' },
    interval: { value: 'LENGTH', choices: ['hour', 'day', 'week', 'month'], help: 'day by default' },
    timezone: { value: 'ZONE', help: 'time zone of the intervals, such as Europe/Berlin; UTC by default' },
    metric: { value: 'EVENTS', choices: metrics, help: 'clicks by default; opens of apps; claims of deferred links' },
    'group-by': { value: 'PROPERTY', choices: groupings, help: `one of ${groupings.join(', ')}` },
    'include-bots': { help: 'count crawlers and other programs as clicks' },
    csv: { help: 'print CSV' },
  },
  examples: ['signpost stats --group-by country', 'signpost stats external:crm-4711 --interval hour --csv'],
  async run(context) {
    const { io, args } = context;
    const service = await context.connect();
    const { client, path } = service;
    const texts = ['from', 'to', 'interval', 'timezone', 'metric', 'group-by'].map((option) => [
      option.replace('-', '_'),
      args.text(option),
    ]);
    const query = { ...Object.fromEntries(texts), include_bots: args.flag('include-bots') } as Query;
    const [name] = args.positionals;
    const ofLink = name !== undefined && { linkId: await idOfNamedLink(service, name) };
    // The description of a link's statistics differs by a group only.
    const route = (ofLink ? '/projects/{projectId}/links/{linkId}/analytics' : ofProject) as typeof ofProject;
    const get = (format: 'csv' | 'json') => {
      const params = { path: { ...path, ...ofLink }, query: { ...query, format } };
      return service.send(() => client.GET(route, { params, parseAs: format === 'csv' ? 'stream' : 'json' }));
    };
    if (args.flag('csv')) {
      await saveBody(io, await get('csv'), undefined);
      return exitCodes.done;
    }
    const { data } = (await get('json')) as { data: Analytics };
    if (context.isJson) {
      context.printJson(data);
      return exitCodes.done;
    }
    const { totals, series, groups, other } = data;
    const metric = args.text('metric') ?? 'clicks';
    if (groups) {
      const rows = groups.map(({ value, name, clicks, qr_scans: scans }) => [name ?? value, clicks, scans]);
      const rest = other && other.clicks > 0 ? [['(others)', other.clicks, other.qr_scans]] : [];
      context.printTable([data.group_by!.toUpperCase(), metric.toUpperCase(), 'QR SCANS'], [...rows, ...rest]);
    } else
      context.printTable(
        ['START', metric.toUpperCase(), 'QR SCANS'],
        series.map(({ start, clicks, qr_scans: scans }) => [start, clicks, scans]),
      );
    context.note(
      `${totals.clicks} ${metric}, ${totals.qr_scans} of QR codes, ${totals.bots} of bots, from ${data.from}`,
    );
    return exitCodes.done;
  },
};
