import { ApiSchema } from '@nestjs/swagger';
import { answer } from '../../api-kit/kit/answer';
import { maxReferrersPerDay, otherReferrer } from '../recording/distinct-referrers';
import { IsQueryBoolean, IsQueryChoice, IsQueryInteger, IsResourceId } from '../../api-kit/kit/field.decorators';
import { IsMoment } from '../statistics/statistics.decorators';
import { type ClickPeriod, defaultPeriodDays, maxPeriodDays } from './click-period';
import { type ClickPosition, writeCursor } from './click-position';
import { type ClickFilter, platforms, type RecordedClick, sources } from './recorded-click';
import type { ClickPage } from './recorded-click.repository';
import { IsClickCursor, IsClickValue, IsUtcDay } from './recorded-clicks.decorators';
import type { ClickListRequest } from './recorded-clicks.service';

/** The number of clicks per page. */
export const clicksPerPage = { minimum: 1, maximum: 1000, default: 100 };

const linkId = '0198c0de-7e57-7000-8000-000000000002';
const shortLinkId = '0198c0de-7e57-7000-8000-000000000003';
const cursorExample = writeCursor({ at: Date.UTC(2026, 5, 1), key: linkId, repeated: 1, from: Date.UTC(2026, 4, 31) });
const optional = true;

/** Declares the filters of clicks. */
class ClickFilterQuery {
  @IsResourceId({ description: 'Id of a dynamic link, also of a deleted one.', example: linkId, optional })
  dynamic_link_id?: string;

  @IsResourceId({ description: 'Id of a short link, also of a deleted one.', example: shortLinkId, optional })
  short_link_id?: string;

  @IsQueryChoice(sources, {
    description: 'Origin of the short link. Clicks on custom paths have no source.',
    example: 'api',
    optional,
  })
  source?: string;

  @IsQueryChoice(platforms, { description: 'Platform of the visitor.', example: 'ios', optional })
  platform?: string;

  @IsClickValue({
    description: 'Name of the browser, or of the app that contains it. Empty: clicks without one.',
    example: 'Safari',
    optional,
  })
  browser?: string;

  @IsClickValue({ description: 'Referring host. Empty: clicks without one.', example: 'news.example.com', optional })
  referrer?: string;

  @IsClickValue({
    description: 'ISO 3166-1 code of two letters. Empty: clicks without one.',
    example: 'DE',
    optional,
  })
  country?: string;

  @IsQueryChoice(['true', 'false'], {
    description: 'Whether the click came from a QR code.',
    example: 'true',
    optional,
  })
  qr?: 'true' | 'false';

  @IsQueryBoolean({ default: false, description: 'Whether clicks of crawlers and other programs are included.' })
  include_bots: boolean;

  static filterOf(query: ClickFilterQuery): ClickFilter {
    const { dynamic_link_id, short_link_id, source, platform, browser, referrer, country, qr, include_bots } = query;
    return {
      dynamicLinkId: dynamic_link_id,
      shortLinkId: short_link_id,
      source,
      platform,
      browser,
      referrer,
      country,
      qr: qr && qr === 'true',
      includeBots: include_bots,
    };
  }
}

/** Declares the parameters of the list of clicks. */
export class ListClicksQuery extends ClickFilterQuery {
  @IsMoment({
    description: `Start of the period, included. Default: ${defaultPeriodDays * 24} hours before \`to\`, or that of the first page.`,
    example: '2026-06-01T00:00:00Z',
    optional,
  })
  from?: number;

  @IsMoment({
    description: `End of the period, excluded. Default: now. The period has at most ${maxPeriodDays} days.`,
    example: '2026-06-02T00:00:00Z',
    optional,
  })
  to?: number;

  @IsClickCursor({
    description: '`nextCursor` of the previous page. Send the other parameters again.',
    example: cursorExample,
    optional,
  })
  cursor?: ClickPosition;

  @IsQueryInteger({ ...clicksPerPage, description: 'Number of clicks per page.' })
  limit: number;

  static requestOf(query: ListClicksQuery): ClickListRequest {
    const { from, to, cursor, limit } = query;
    return { from, to, cursor: cursor ?? null, limit, filter: ClickFilterQuery.filterOf(query) };
  }
}

/** Declares the parameters of an export. */
export class ExportClicksQuery extends ClickFilterQuery {
  @IsUtcDay({ description: 'Day (UTC) of the clicks. Default: yesterday.', example: '2026-06-01', optional })
  date?: ClickPeriod;
}

@ApiSchema({ name: 'Click' })
export class ClickDto extends answer({
  clicked_at: {
    format: 'date-time',
    description: 'Time of the visit. Of a region without ClickHouse: the start of its quarter of an hour (UTC).',
    example: '2026-06-01T12:30:45.678Z',
  },
  dynamic_link_id: { format: 'uuid', description: 'Id of the dynamic link, which may be deleted.', example: linkId },
  short_link_id: {
    format: 'uuid',
    nullable: true,
    description: 'Id of the short link that was opened. Null for a custom path.',
    example: shortLinkId,
  },
  source: {
    enum: [...sources, null],
    nullable: true,
    description: 'Origin of the short link: the dashboard or the API. Null for a custom path.',
    example: 'api',
  },
  platform: { enum: platforms, example: 'ios' },
  browser: {
    nullable: true,
    description: 'Name of the browser, or of the app that contains it. Null if unknown.',
    example: 'Safari',
  },
  referrer: {
    nullable: true,
    description: `Referring host. \`${otherReferrer}\` stands for a host of a day with very many: a link names ${maxReferrersPerDay.link} or more.`,
    example: 'news.example.com',
  },
  country: { nullable: true, description: 'ISO 3166-1 code of two letters. Null if unknown.', example: 'DE' },
  bot: { type: 'boolean', description: 'Whether a crawler or another program opened the link.', example: false },
  qr: { type: 'boolean', description: 'Whether the click came from a QR code.', example: false },
}) {
  static of(click: RecordedClick): ClickDto {
    return ClickDto.render(click, { clicked_at: new Date(click.at).toISOString() });
  }
}

class CursorPagination extends answer({
  limit: { type: 'integer', minimum: 1, maximum: clicksPerPage.maximum, example: clicksPerPage.default },
  nextCursor: {
    nullable: true,
    description:
      'Value of `cursor` for the next page; null on the last page. A page can have fewer clicks than `limit`, or none, although ' +
      'another one follows.',
    example: cursorExample,
  },
  hasNextPage: { type: 'boolean', example: true },
}) {}

@ApiSchema({ name: 'ClickPage' })
export class ClicksResponse extends answer({
  data: { type: [ClickDto] },
  pagination: { type: CursorPagination },
}) {
  static of({ clicks, next }: ClickPage, limit: number): ClicksResponse {
    return {
      data: clicks.map((click) => ClickDto.of(click)),
      pagination: { limit, nextCursor: next && writeCursor(next), hasNextPage: next !== null },
    };
  }
}
