import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '../../api-kit/kit/request';
import type { Caller } from './caller';

declare global {
  namespace Express {
    interface Request {
      /** Set after authentication. */
      caller?: Caller;
    }
  }
}

export const callerOf = (context: ExecutionContext): Caller | undefined => requestOf(context).caller;

/** Injects the authenticated caller. Only for operations whose policy is not `public`. */
export const TheCaller = createParamDecorator((_: unknown, context: ExecutionContext) => callerOf(context));
