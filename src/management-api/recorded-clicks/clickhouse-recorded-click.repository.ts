import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { retried } from '../kit/long-requests';
import { clickPage, rowsAfter } from './click-page';
import { type ClickPosition, maxRepeated } from './click-position';
import { type ClickCriteria, type ClickFilter, type ClickRow, keyColumns, keySeparator } from './recorded-click';
import { type ClickPage, RecordedClickRepository } from './recorded-click.repository';

const clicksPerPart = 5000;

const isFlag = (column: string): boolean => column === 'bot' || column === 'qr';

const key = `concatWithSeparator('${keySeparator}', ${keyColumns
  .map((column) => `toString(${isFlag(column) ? `toUInt8(${column})` : column})`)
  .join(', ')})`;

const conditions: Record<Exclude<keyof ClickFilter, 'includeBots'>, string> = {
  dynamicLinkId: 'dynamic_link_id = {dynamicLinkId:UUID}',
  shortLinkId: 'short_link_id = {shortLinkId:String}',
  source: 'source = {source:String}',
  platform: 'platform = {platform:String}',
  browser: 'browser = {browser:String}',
  referrer: 'referrer = {referrer:String}',
  country: 'country = {country:String}',
  qr: 'qr = {qr:Bool}',
};

/** The fields of a line, in the order of the API. `link` and `moment` are renamed columns, because an alias hides a column. */
const fields = [
  `concat(replaceOne(toString(moment), ' ', 'T'), 'Z') AS clicked_at`,
  'toString(link) AS dynamic_link_id',
  ...['short_link_id', 'source'].map((column) => `nullIf(toString(${column}), '') AS ${column}`),
  'toString(platform) AS platform',
  ...['browser', 'referrer', 'country'].map((column) => `nullIf(toString(${column}), '') AS ${column}`),
  'bot',
  'qr',
].join(', ');

interface Line {
  clicked_at: string;
  dynamic_link_id: string;
}

export class ClickHouseRecordedClickRepository extends RecordedClickRepository {
  constructor(private readonly clickHouse: ClickHouse) {
    super();
  }

  /** Finds the time of the last click of the page first, so that keys are built for few clicks. */
  async list(criteria: ClickCriteria, position: ClickPosition, limit: number): Promise<ClickPage> {
    const { where, parameters } = selected({ ...criteria, to: Math.min(criteria.to, position.at + 1) });
    const isAfter = position.repeated < maxRepeated ? '<=' : '<';
    const rows = await this.clickHouse.rows<ClickRow>(
      `SELECT toUnixTimestamp64Milli(clicked_at) AS at, ${key} AS key FROM clicks
       WHERE ${where}
         AND clicked_at >= (
           SELECT min(clicked_at) FROM (
             SELECT clicked_at FROM clicks WHERE ${where} AND clicked_at < ${moment('at')}
             ORDER BY clicked_at DESC LIMIT {limit:UInt32}
           )
         )
         AND (at, key) ${isAfter} ({at:Int64}, {key:String})
       ORDER BY at DESC, key DESC LIMIT {rows:UInt32}`,
      { ...parameters, at: position.at, key: position.key, limit: limit + 1, rows: limit + 1 + position.repeated },
    );
    return clickPage(position, rowsAfter(position, rows), limit);
  }

  /** Reads in the order of the table. A part ends with all clicks of a link in the same millisecond, and the next one begins after them. */
  async *lines(criteria: ClickCriteria): AsyncGenerator<string> {
    let text = await this.#partAfter(criteria, null);
    while (text !== '') {
      yield text;
      const last = JSON.parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)) as Line;
      text = await retried(() => this.#partAfter(criteria, last));
    }
  }

  #partAfter(criteria: ClickCriteria, last: Line | null): Promise<string> {
    const { where, parameters } = selected(criteria);
    // The first condition selects a range of the table's key.
    const after = `AND dynamic_link_id >= {link:UUID} AND (dynamic_link_id > {link:UUID} OR clicked_at > ${moment('after')})`;
    return this.clickHouse.lines(
      `SELECT ${fields} FROM (
         SELECT clicks.* EXCEPT (clicked_at, dynamic_link_id), clicked_at AS moment, dynamic_link_id AS link FROM clicks
         WHERE ${where} ${last ? after : ''}
         ORDER BY dynamic_link_id, clicked_at LIMIT ${clicksPerPart} WITH TIES
       ) ORDER BY link, moment`,
      { ...parameters, ...(last && { link: last.dynamic_link_id, after: Date.parse(last.clicked_at) }) },
    );
  }
}

const moment = (parameter: string): string => `fromUnixTimestamp64Milli({${parameter}:Int64}, 'UTC')`;

function selected({ projectId, from, to, filter }: ClickCriteria): {
  where: string;
  parameters: Record<string, unknown>;
} {
  const { includeBots, ...values } = filter;
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const where = [
    'project_id = {project:UUID}',
    `clicked_at >= ${moment('from')} AND clicked_at < ${moment('to')}`,
    ...(includeBots ? [] : ['NOT bot']),
    ...given.map(([name]) => conditions[name as keyof typeof conditions]),
  ].join(' AND ');
  return { where, parameters: { project: projectId, from, to, ...Object.fromEntries(given) } };
}
