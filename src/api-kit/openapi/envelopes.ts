import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { answer, countAnswer, textAnswer } from '../kit/answer';
import type { Page } from '../../shared/page';

/** Wraps one resource as `{ "data": … }`. */
export function dataOf<T>(resource: Type<T>): Type<{ data: T }> {
  class Data {
    @ApiProperty({ type: resource })
    data: T;
  }
  return Data;
}

export class Pagination extends answer({
  page: { type: 'integer', minimum: 1, example: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 100, example: 10 },
  total: countAnswer('Number of items on all pages, or a lower bound of it (`totalRelation`).', 1),
  totalRelation: {
    required: false,
    enum: ['at_least'],
    description:
      '`at_least` if `total` is a lower bound, because a search or filter finds more; absent if it is exact.',
  },
  totalPages: countAnswer(
    'Number of pages for `total`; 0 for an empty list. `hasNextPage` tells whether more follow.',
    1,
  ),
  hasNextPage: { type: 'boolean', example: false },
  hasPreviousPage: { type: 'boolean', example: false },
}) {}

/** Wraps a list as `{ "data": […], "pagination": {…} }`. */
export function pageOf<T>(resource: Type<T>): Type<{ data: T[]; pagination: Pagination }> {
  class PageBody {
    @ApiProperty({ type: [resource] })
    data: T[];

    @ApiProperty({ type: Pagination })
    pagination: Pagination;
  }
  return PageBody;
}

export function page<T, D>(
  source: Page<T>,
  request: { page: number; limit: number },
  render: (item: T) => D,
): { data: D[]; pagination: Pagination } {
  const { page, limit } = request;
  const totalPages = Math.ceil(source.total / limit);
  const pagination = {
    page,
    limit,
    total: source.total,
    ...(source.hasMore !== undefined && { totalRelation: 'at_least' as const }),
    totalPages,
    hasNextPage: source.hasMore ?? page < totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
  };
  return { data: source.items.map(render), pagination };
}

export class Message extends answer({
  message: textAnswer('Confirmation in plain text.', 'Deleted'),
}) {}

export class MessageResponse extends dataOf(Message) {}

export const message = (text: string): MessageResponse => ({ data: { message: text } });
