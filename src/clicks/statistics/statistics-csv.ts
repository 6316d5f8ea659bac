import { csvFile } from '../../api-kit/kit/csv';
import type { Metric } from './statistics';
import type { StatisticsDto } from './statistics.dto';

/** Writes a line per interval, or per group with a column per interval. The last line has the sum of all other groups. */
export function toCsv({ series, groups, other, compared }: StatisticsDto, metric: Metric): string {
  if (groups === null) {
    const head = ['start', 'end', metric, 'qr_scans', ...(compared ? ['compared_start', `compared_${metric}`] : [])];
    const records = series.map(({ start, end, clicks, qr_scans }, at) => {
      const before = compared?.series[at];
      return [start, end, clicks, qr_scans, ...(compared ? [before?.start ?? null, before?.clicks ?? null] : [])];
    });
    return csvFile([head, ...records]);
  }
  const head = ['kind', 'value', 'name', 'path', metric, 'qr_scans', ...series.map(({ start }) => start)];
  const records = groups.map(({ value, name, path, clicks, qr_scans, series: counts }) => [
    'group',
    value,
    name,
    path,
    clicks,
    qr_scans,
    ...counts,
  ]);
  const rest = other && ['other', null, null, null, other.clicks, other.qr_scans, ...series.map(() => null)];
  return csvFile([head, ...records, ...(rest ? [rest] : [])]);
}
