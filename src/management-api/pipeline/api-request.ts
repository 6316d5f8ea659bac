import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { requestOf } from '../../api-kit/kit/request';

/** A request with what the steps before a controller found out about it. */
export interface ApiRequest extends Request {
  requestId: string;
  /** Set if tracing is enabled, except for health probes. */
  traceId?: string | undefined;
  /** The methods of the path; absent for an unknown path. */
  supportedMethods?: ReadonlySet<string> | undefined;
  /** Set for operations that need a credential. */
  operationId?: string;
  /** Key of the rate limit for an authenticated caller: the API key or the user. */
  rateLimitKey?: string;
  /** Reason why the token was refused, for the log. */
  tokenRefusal?: string;
  /** The database error that kept the caller from being identified. */
  callerLookupError?: unknown;
  /** Whether the URL is invalid percent-encoding. An undecodable path never reaches routing. */
  undecodable?: boolean;
}

export const apiRequestOf = (context: ExecutionContext): ApiRequest => requestOf(context) as ApiRequest;
