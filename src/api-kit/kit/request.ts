import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';

/** Reads the argument itself, because each `switchToHttp` creates three functions. */
export const requestOf = (context: ExecutionContext): Request => context.getArgByIndex<Request>(0);

export const responseOf = (context: ExecutionContext): Response => context.getArgByIndex<Response>(1);
