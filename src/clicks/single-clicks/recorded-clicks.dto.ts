import { ApiSchema } from '@nestjs/swagger';
import {
  answer,
  flagAnswer,
  idAnswerOf,
  momentAnswer,
  nullableIdAnswer,
  nullableTextAnswer,
} from '../../api-kit/kit/answer';
import { maxReferrersPerDay, otherName } from '../recording/distinct-names';
import {
  IsMoment,
  IsQueryBoolean,
  IsQueryChoice,
  IsQueryInteger,
  IsResourceId,
} from '../../api-kit/kit/field.decorators';
import { type ClickPeriod, defaultPeriodDays, maxPeriodDays, utcDay } from './click-period';
import { type ClickPosition, writeCursor, clickCursor } from './click-position';
import type { ClickFilter, RecordedClick } from './recorded-click';
import { platforms, sources } from '../recording/click';
import type { ClickPage } from './recorded-click.repository';
import type { ClickListRequest } from './recorded-clicks.service';
import { optionally, ruleDecorator } from '../../api-kit/kit/rule.decorator';
import { text } from '../../shared/text';

/** A host is the longest value of a click. */
const clickValue = text({ max: 253 });

const IsClickValue = ruleDecorator(clickValue);
const IsClickCursor = ruleDecorator(clickCursor);
const IsUtcDay = ruleDecorator(utcDay);

export const clicksPerPage = { minimum: 1, maximum: 1000, default: 100 };

const linkId = '0198c0de-7e57-7000-8000-000000000002';
const shortLinkId = '0198c0de-7e57-7000-8000-000000000003';
const cursorExample = writeCursor({ at: Date.UTC(2026, 5, 1), key: linkId, repeated: 1, from: Date.UTC(2026, 4, 31) });

class ClickFilterQuery {
  @IsResourceId(optionally('Id of a dynamic link, also of a deleted one.', linkId))
  dynamic_link_id?: string;

  @IsResourceId(optionally('Id of a short link, also of a deleted one.', shortLinkId))
  short_link_id?: string;

  @IsQueryChoice(sources, optionally('Origin of the short link. Clicks on custom paths have no source.', 'api'))
  source?: string;

  @IsQueryChoice(platforms, optionally('Platform of the visitor.', 'ios'))
  platform?: string;

  @IsClickValue(optionally('Name of the browser, or of the app that contains it. Empty: clicks without one.', 'Safari'))
  browser?: string;

  @IsClickValue(optionally('Referring host. Empty: clicks without one.', 'news.example.com'))
  referrer?: string;

  @IsClickValue(optionally('ISO 3166-1 code of two letters. Empty: clicks without one.', 'DE'))
  country?: string;

  @IsQueryChoice(['true', 'false'], optionally('Whether the click came from a QR code.', 'true'))
  qr?: 'true' | 'false';

  @IsQueryBoolean({ default: false, description: 'Whether clicks of crawlers and other programs are included.' })
  include_bots: boolean;

  static filterOf(query: ClickFilterQuery): ClickFilter {
    const { dynamic_link_id: dynamicLinkId, short_link_id: shortLinkId, include_bots: includeBots } = query;
    const { source, platform, browser, referrer, country } = query;
    const values = { dynamicLinkId, shortLinkId, source, platform, browser, referrer, country };
    return { ...values, qr: query.qr && query.qr === 'true', includeBots };
  }
}

export class ListClicksQuery extends ClickFilterQuery {
  @IsMoment(
    optionally(
      `Start of the period, included. Default: ${defaultPeriodDays * 24} hours before \`to\`, or that of the first page.`,
      '2026-06-01T00:00:00Z',
    ),
  )
  from?: number;

  @IsMoment(
    optionally(
      `End of the period, excluded. Default: now. The period has at most ${maxPeriodDays} days.`,
      '2026-06-02T00:00:00Z',
    ),
  )
  to?: number;

  @IsClickCursor(optionally('`nextCursor` of the previous page. Send the other parameters again.', cursorExample))
  cursor?: ClickPosition;

  @IsQueryInteger({ ...clicksPerPage, description: 'Number of clicks per page.' })
  limit: number;

  static requestOf(query: ListClicksQuery): ClickListRequest {
    const { from, to, cursor, limit } = query;
    return { from, to, cursor: cursor ?? null, limit, filter: ClickFilterQuery.filterOf(query) };
  }
}

export class ExportClicksQuery extends ClickFilterQuery {
  @IsUtcDay(optionally('Day (UTC) of the clicks. Default: yesterday.', '2026-06-01'))
  date?: ClickPeriod;
}

@ApiSchema({ name: 'Click' })
export class ClickDto extends answer({
  clicked_at: momentAnswer(
    'Time of the visit. Of a region without ClickHouse: the start of its quarter of an hour (UTC).',
    '2026-06-01T12:30:45.678Z',
  ),
  dynamic_link_id: idAnswerOf('Id of the dynamic link, which may be deleted.', linkId),
  short_link_id: nullableIdAnswer('Id of the short link that was opened. Null for a custom path.', shortLinkId),
  source: {
    enum: [...sources, null],
    nullable: true,
    description: 'Origin of the short link: the dashboard or the API. Null for a custom path.',
    example: 'api',
  },
  platform: { enum: platforms, example: 'ios' },
  browser: nullableTextAnswer('Name of the browser, or of the app that contains it. Null if unknown.', 'Safari'),
  referrer: nullableTextAnswer(
    `Referring host. The value is \`${otherName}\` for further hosts of a day on which a link has more than ${maxReferrersPerDay.link}.`,
    'news.example.com',
  ),
  country: nullableTextAnswer('ISO 3166-1 code of two letters. Null if unknown.', 'DE'),
  bot: flagAnswer('Whether a crawler or another program opened the link.', false),
  qr: flagAnswer('Whether the click came from a QR code.', false),
}) {
  static of(click: RecordedClick): ClickDto {
    return ClickDto.render(click, { clicked_at: new Date(click.at).toISOString() });
  }
}

class CursorPagination extends answer({
  limit: { type: 'integer', minimum: 1, maximum: clicksPerPage.maximum, example: clicksPerPage.default },
  nextCursor: nullableTextAnswer(
    'Value of `cursor` for the next page; null on the last page. A page can have fewer clicks than `limit`, or none, although ' +
      'another one follows.',
    cursorExample,
  ),
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
