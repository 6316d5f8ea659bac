import { DatabaseUnavailable } from '../postgres/database-error';
import { ClickHouseUnavailable } from './clickhouse';

/** Returns the reason for operators. The message of `DatabaseUnavailable` is for callers, and does not name its cause. */
export function failureReason(error: unknown): string {
  if (error instanceof ClickHouseUnavailable) return `ClickHouse: ${messageOf(error.cause)}`;
  return messageOf(error instanceof DatabaseUnavailable ? error.cause : error);
}

/** Joins the messages of a host with several addresses, because Node gives it one error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
