import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '../../api-kit/kit/request';
import type { Project } from './project';

declare global {
  namespace Express {
    interface Request {
      /** The project of the path, set after the guard has checked that the caller owns it. */
      project?: Project;
    }
  }
}

/** Injects the project of the path. It exists and belongs to the caller. */
export const PathProject = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).project);
