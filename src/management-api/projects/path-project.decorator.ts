import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '../kit/request';
import type { Project } from './project';

declare global {
  namespace Express {
    interface Request {
      /** The project of the path, once the caller was found to own it. */
      project?: Project;
    }
  }
}

/** The project of the path, which exists and belongs to the caller. */
export const PathProject = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).project);
