import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestOf } from '../kit/request';

/** What the steps before a controller learn about a request of the management API. */
export interface ApiRequest extends Request {
  requestId: string;
  /** Where traces are on, and this is no probe. */
  traceId?: string | undefined;
  /** By what it is counted when it bears a key or a token: a name for the key, or for the person. */
  countedBy?: string;
  /** Why its token is not accepted, for the log. */
  tokenRefused?: string;
  /** Why it could not be told who calls: the database did not answer. */
  callerUnknown?: unknown;
  /** The URL cannot be percent-decoded. If it is the path that cannot, routing never sees it. */
  undecodable?: boolean;
}

export const apiRequestOf = (context: ExecutionContext): ApiRequest => requestOf(context) as ApiRequest;
