import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

export const requestOf = (context: ExecutionContext): Request => context.switchToHttp().getRequest<Request>();
