import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { callerOf } from '../accounts/the-caller.decorator';
import { requestOf } from '../kit/request';
import { IdempotencyService } from './idempotency.service';
import { idempotencyOf } from './idempotent-answer';

/** Metadata of a handler: the field of its answer that is not kept. */
const secretField = 'signpost:secret-field';

/** Answers a request that bears an `Idempotency-Key` once, and the same again to whoever repeats it. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const sent = requestOf(context);
    const key = sent.headers['idempotency-key'] as string | undefined;
    const caller = callerOf(context);
    if (key === undefined || !caller) return next.handle();
    const request = idempotencyOf(caller.accountId, sent, key);
    const response = context.switchToHttp().getResponse<Response>();
    const secret = this.reflector.get<string | undefined>(secretField, context.getHandler());
    let made: unknown;
    try {
      const answer = await this.idempotency.once(request, async () => {
        made = await lastValueFrom(next.handle());
        return {
          location: (response.getHeader('Location') as string | undefined) ?? null,
          body: toBeKept(made, secret),
        };
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

/** The answer as JSON, with null in place of the secret. */
const toBeKept = (answer: unknown, secret: string | undefined): string =>
  JSON.stringify(answer, (name, value: unknown) => (name === secret ? null : value));

/**
 * For creating operations: takes `Idempotency-Key`. Only here, since an interceptor sends the answers of whatever it stands
 * before through RxJS. A field that is `secret` is in the first answer alone: it is not kept, and null whenever that answer is
 * given again.
 */
export const Idempotent = ({ secret }: { secret?: string } = {}): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    SetMetadata(secretField, secret),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes it safe to send the request again: for 24 hours the same key with the same body is answered as the first time, with `Idempotent-Replayed: true`.' +
        (secret === undefined ? '' : ` \`${secret}\` is not kept for that, and null then.`),
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '6f1c8a52-3b0e-4f6e-9a53-0c9d8b6f2f11',
    }),
  );
