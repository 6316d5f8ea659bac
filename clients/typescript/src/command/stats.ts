import type { components, operations } from '../index.js';
import type { Command } from './command.js';
import { UsageFailure } from './failures.js';
import { exitCodes } from './exit-codes.js';
import { idOfNamedLink, namedLinkHelp } from './named-link.js';
import { saveBody } from './output-file.js';

type Query = NonNullable<operations['getProjectAnalytics']['parameters']['query']>;

type Analytics = components['schemas']['Analytics'];

const ofProject = '/projects/{projectId}/analytics';

const utm = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'];

const groupings = [
  ...['platform', 'browser', 'referrer', 'country', 'link', 'short_link', 'source', 'tag'],
  ...utm,
  'version',
];

/** The options that may be repeated, and the parameters of the API. */
const filters: Readonly<Record<string, { parameter: string; help: string; isOfProject?: true }>> = {
  platform: { parameter: 'platform', help: 'only clicks of ios, android or desktop' },
  browser: { parameter: 'browser', help: 'only clicks with this browser, such as Safari' },
  country: { parameter: 'country', help: 'only clicks from this country, such as AT' },
  referrer: { parameter: 'referrer', help: 'only clicks from this host' },
  'short-link': { parameter: 'short_link_id', help: 'only clicks on this short link' },
  source: { parameter: 'source', help: 'only clicks on short links of the dashboard or the api' },
  tag: { parameter: 'tag', help: 'only links that have this tag now', isOfProject: true },
  ...Object.fromEntries(
    utm.map((parameter) => [
      parameter.replace('_', '-'),
      { parameter, help: `only links with this ${parameter}`, isOfProject: true as const },
    ]),
  ),
};

const yesOrNo = ['true', 'false'];

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
    ...Object.fromEntries(
      Object.entries(filters).map(([name, { help }]) => [name, { value: 'VALUE', many: true, help } as const]),
    ),
    qr: { value: 'CHOICE', choices: yesOrNo, help: 'only clicks from QR codes, or no such clicks' },
    bot: { value: 'CHOICE', choices: yesOrNo, help: 'only clicks of crawlers and other programs, or no such clicks' },
    'compare-from': { value: 'TIME', help: 'start of a period to compare with' },
    'compare-to': { value: 'TIME', help: 'end of that period; by default it is as long as the other' },
    'include-bots': { help: 'count crawlers and other programs as clicks' },
    csv: { help: 'print CSV' },
  },
  examples: [
    'signpost stats --group-by country',
    'signpost stats --country AT --platform ios --from 2026-10-01T00:00:00Z --to 2026-11-01T00:00:00Z',
    'signpost stats external:crm-4711 --interval hour --csv',
  ],
  async run(context) {
    const { io, args } = context;
    const service = await context.connect();
    const { client, path } = service;
    const texts = [
      ...['from', 'to', 'interval', 'timezone', 'metric', 'group-by', 'qr', 'bot'],
      ...['compare-from', 'compare-to'],
    ].map((option) => [option.replace('-', '_'), args.text(option)]);
    const [name] = args.positionals;
    const chosen = Object.keys(filters).filter((option) => args.list(option).length > 0);
    const ofProjects = chosen.find((option) => filters[option]!.isOfProject);
    if (name !== undefined && ofProjects) throw new UsageFailure(`--${ofProjects} selects links. Leave out LINK.`);
    const query = {
      ...Object.fromEntries(texts),
      ...Object.fromEntries(chosen.map((option) => [filters[option]!.parameter, args.list(option)])),
      include_bots: args.flag('include-bots'),
    } as Query;
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
    const { totals, series, groups, other, compared } = data;
    const metric = args.text('metric') ?? 'clicks';
    if (groups) {
      const rows = groups.map(({ value, name, clicks, qr_scans: scans }) => [name ?? value, clicks, scans]);
      const rest = other && other.clicks > 0 ? [['(others)', other.clicks, other.qr_scans]] : [];
      context.printTable([data.group_by!.toUpperCase(), metric.toUpperCase(), 'QR SCANS'], [...rows, ...rest]);
    } else
      context.printTable(
        ['START', metric.toUpperCase(), 'QR SCANS', ...(compared ? ['COMPARED'] : [])],
        series.map(({ start, clicks, qr_scans: scans }, at) => [
          start,
          clicks,
          scans,
          ...(compared ? [compared.series[at]?.clicks ?? null] : []),
        ]),
      );
    context.note(
      `${totals.clicks} ${metric}, ${totals.qr_scans} of QR codes, ${totals.bots} of bots, from ${data.from}`,
    );
    if (compared) context.note(`${compared.totals.clicks} ${metric} in the compared period, from ${compared.from}`);
    if (data.covered_from !== data.from) context.note(`Clicks before ${data.covered_from} are not kept.`);
    return exitCodes.done;
  },
};
