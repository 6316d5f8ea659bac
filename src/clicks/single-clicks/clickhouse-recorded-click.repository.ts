import type { ClickHouse } from '../../platform/clickhouse/clickhouse';
import { retried } from '../../api-kit/kit/long-requests';
import { clickColumns } from '../recording/click';
import { clickPage, rowsAfter } from './click-page';
import { type ClickPosition, maxRepeated } from './click-position';
import { type ClickCriteria, type ClickFilter, type ClickRow, keySeparator, lastKey } from './recorded-click';
import { type ClickPage, type RecordedClickRepository } from './recorded-click.repository';

const clicksPerPart = 5000;

const firstPartMs = 60_000;

const hourMs = 60 * 60_000;

/** A page is sought in the newest hours first, because a project can have millions of clicks in the whole period. */
const soughtMs = [hourMs, 12 * hourMs, 144 * hourMs, 1728 * hourMs, Infinity];

/** A page that has taken longer is short, because the next period may take twelve times as long. */
const pageTimeMs = 200;

const isFlag = (column: string): boolean => column === 'bot' || column === 'qr';

const key = `concatWithSeparator('${keySeparator}', ${clickColumns
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
}

export class ClickHouseRecordedClickRepository implements RecordedClickRepository {
  constructor(private readonly clickHouse: ClickHouse) {}

  /**
   * Reads periods that end at the position, each longer than the one before, until one has a whole page. A filter that few clicks pass
   * makes a page short.
   */
  async list(criteria: ClickCriteria, position: ClickPosition, limit: number): Promise<ClickPage> {
    const to = Math.min(criteria.to, position.at + 1);
    const startedAt = performance.now();
    for (const length of soughtMs) {
      const from = Math.max(criteria.from, to - length);
      const rows = rowsAfter(position, await this.#rows({ ...criteria, from, to }, position, limit));
      if (rows.length > limit || from === criteria.from) return clickPage(position, rows, limit);
      if (performance.now() - startedAt > pageTimeMs) {
        const { clicks } = clickPage(position, rows, limit);
        return { clicks, next: { at: from - 1, key: lastKey, repeated: 0, from: position.from } };
      }
    }
    throw new Error('The longest period does not begin with the requested one.');
  }

  /** Finds the time of the last click of the page first, so that keys are built for few clicks. */
  #rows(criteria: ClickCriteria, position: ClickPosition, limit: number): Promise<ClickRow[]> {
    const { where, parameters } = selected(criteria);
    const isAfter = position.repeated < maxRepeated ? '<=' : '<';
    return this.clickHouse.rows<ClickRow>(
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
  }

  /**
   * Reads periods one after the other, which grow or shrink to some thousand clicks. A period that has more ends with all clicks of a
   * millisecond, and the next one begins after them.
   */
  async *lines(criteria: ClickCriteria): AsyncGenerator<string> {
    let { from } = criteria;
    let length = firstPartMs;
    // The first error is that of the request.
    let read = (part: ClickCriteria): Promise<string> => this.#part(part);
    while (from < criteria.to) {
      const part = { ...criteria, from, to: Math.min(criteria.to, from + length) };
      const text = await read(part);
      read = (next) => retried(() => this.#part(next));
      yield text;
      const isWhole = countLines(text) < clicksPerPart;
      from = isWhole ? part.to : lastMoment(text) + 1;
      length = isWhole ? length * 2 : Math.max(1, Math.floor(length / 2));
    }
  }

  #part(criteria: ClickCriteria): Promise<string> {
    const { where, parameters } = selected(criteria);
    return this.clickHouse.lines(
      `SELECT ${fields} FROM (
         SELECT clicks.* EXCEPT (clicked_at, dynamic_link_id), clicked_at AS moment, dynamic_link_id AS link FROM clicks
         WHERE ${where}
         ORDER BY clicked_at LIMIT ${clicksPerPart} WITH TIES
       ) ORDER BY moment`,
      parameters,
    );
  }
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

const lastMoment = (text: string): number =>
  Date.parse((JSON.parse(text.slice(text.lastIndexOf('\n', text.length - 2) + 1)) as Line).clicked_at);

const moment = (parameter: string): string => `fromUnixTimestamp64Milli({${parameter}:Int64}, 'UTC')`;

function selected({ projectId, from, to, filter }: ClickCriteria): {
  where: string;
  parameters: Record<string, unknown>;
} {
  const { includeBots, ...values } = filter;
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  const where = [
    'project_id = {project:UUID}',
    `clicked_at >= ${moment('from')} AND clicked_at < ${moment('to')}`,
    ...(includeBots ? [] : ['NOT bot']),
    ...present.map(([name]) => conditions[name as keyof typeof conditions]),
  ].join(' AND ');
  return { where, parameters: { project: projectId, from, to, ...Object.fromEntries(present) } };
}
