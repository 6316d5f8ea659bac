import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { requestOf } from '../http/request';
import { IdempotencyService } from './idempotency.service';
import { idempotencyOf } from './idempotent-answer';

/** Answers a request that bears an `Idempotency-Key` once, and the same again to whoever repeats it. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const sent = requestOf(context);
    const key = sent.headers['idempotency-key'] as string | undefined;
    if (key === undefined || !sent.caller) return next.handle();
    const request = idempotencyOf(sent.caller.accountId, sent, key);
    const response = context.switchToHttp().getResponse<Response>();
    let made: unknown;
    try {
      const answer = await this.idempotency.once(request, async () => {
        made = await lastValueFrom(next.handle());
        return { location: (response.getHeader('Location') as string | undefined) ?? null, body: JSON.stringify(made) };
      });
      if (!answer.replayed) return of(made);
      response.setHeader('Idempotent-Replayed', 'true');
      if (answer.location !== null) response.setHeader('Location', answer.location);
      return of(JSON.parse(answer.body));
    } catch (error) {
      // What it told of was not made after all.
      response.removeHeader('Location');
      throw error;
    }
  }
}

/**
 * For creating operations: takes `Idempotency-Key`. Only here, since an interceptor sends the answers of whatever it stands
 * before through RxJS.
 */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes it safe to send the request again: for 24 hours the same key with the same body is answered as the first time, with `Idempotent-Replayed: true`.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '6f1c8a52-3b0e-4f6e-9a53-0c9d8b6f2f11',
    }),
  );
