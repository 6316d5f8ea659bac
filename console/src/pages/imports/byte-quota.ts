import { ApiError } from '../../api/api-error';

/** Quotas of bytes are whole megabytes. The number of open imports, which has details of the same form, is far below one. */
const unit = 1_000_000;

/** Returns the quota of stored bytes that refused a file; null for other errors. */
export function byteQuotaOf(error: Error): { limit: number; used: number } | null {
  if (!(error instanceof ApiError) || error.code !== 'ACCESS_DENIED') return null;
  const { details } = error;
  if (details === undefined || !('limit' in details) || details.limit % unit !== 0) return null;
  return { limit: details.limit, used: details.used };
}
