import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '../accounts/caller';
import type { Project } from '../projects/project';

/** What the steps before a controller learn about a request of the management API. */
export interface ApiRequest extends Request {
  requestId: string;
  /** Where traces are on, and this is no probe. */
  traceId?: string | undefined;
  /** By what it is counted when it bears a key or a token: a name for the key, or for the person. */
  countedBy?: string;
  /** Why its token is not accepted, for the log. */
  tokenRefused?: string;
  caller?: Caller;
  /** Why it could not be told who calls: the database did not answer. */
  callerUnknown?: unknown;
  /** The project of the path, once the caller was found to own it. */
  project?: Project;
  /** The URL cannot be percent-decoded. If it is the path that cannot, routing never sees it. */
  undecodable?: boolean;
}

export const requestOf = (context: ExecutionContext): ApiRequest => context.switchToHttp().getRequest<ApiRequest>();

/** The authenticated caller. Only for routes that are not `@Public()`. */
export const TheCaller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).caller);

/** The project of the path, which exists and belongs to the caller. */
export const PathProject = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).project);
