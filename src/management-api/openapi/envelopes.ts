import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../../shared/page';

/** Wraps one resource as `{ "data": … }`. */
export function dataOf<T>(resource: Type<T>): Type<{ data: T }> {
  class Data {
    @ApiProperty({ type: resource })
    data: T;
  }
  return Data;
}

export class Pagination {
  @ApiProperty({ type: 'integer', minimum: 1, example: 1 })
  page: number;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 100, example: 10 })
  limit: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of items on all pages.', example: 1 })
  total: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Number of pages; 0 for an empty list.', example: 1 })
  totalPages: number;

  @ApiProperty({ example: false })
  hasNextPage: boolean;

  @ApiProperty({ example: false })
  hasPreviousPage: boolean;
}

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
  found: Page<T>,
  request: { page: number; limit: number },
  render: (item: T) => D,
): { data: D[]; pagination: Pagination } {
  const { page, limit } = request;
  const totalPages = Math.ceil(found.total / limit);
  const pagination = {
    page,
    limit,
    total: found.total,
    totalPages,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1 && totalPages > 0,
  };
  return { data: found.items.map(render), pagination };
}

export class Message {
  @ApiProperty({ description: 'Confirmation in plain text.', example: 'Deleted' })
  message: string;
}

export class MessageResponse extends dataOf(Message) {}

export const message = (text: string): MessageResponse => ({ data: { message: text } });
