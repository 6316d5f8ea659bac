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
import { callerOf } from '../accounts/the-caller.decorator';
import { requestOf } from '../../api-kit/kit/request';
import { IdempotencyService } from './idempotency.service';
import { acceptableKey, idempotencyOf } from './idempotent-answer';
import { describedPattern } from '../../shared/rule';

/** Handler metadata: the response field that is not stored. */
const secretField = 'signpost:secret-field';

/** An Observable of RxJS, which Nest expects from an interceptor. */
type Answers = ReturnType<CallHandler['handle']>;

/** Executes a request with an `Idempotency-Key` once, and repeats its response. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Answers> {
    const sent = requestOf(context);
    const key = sent.headers['idempotency-key'] as string | undefined;
    const caller = callerOf(context);
    if (key === undefined || !caller) return next.handle();
    const { method, params } = sent;
    const { path: route } = sent.route as { path: string };
    const request = idempotencyOf(caller.accountId, { method, route, params, body: sent.body as unknown }, key);
    const secret = this.reflector.get<string | undefined>(secretField, context.getHandler());
    let result: unknown;
    const answer = await this.idempotency.once(request, async () => {
      await next.handle().forEach((value: unknown) => {
        result = value;
      });
      return { body: storedBody(result, secret) };
    });
    if (!answer.replayed) return answersOf(result);
    context.switchToHttp().getResponse<Response>().setHeader('Idempotent-Replayed', 'true');
    return answersOf(JSON.parse(answer.body));
  }
}

/** Returns a list of one value, which RxJS accepts in place of an Observable. */
const answersOf = (value: unknown): Answers => [value] as unknown as Answers;

const storedBody = (answer: unknown, secret: string | undefined): string =>
  JSON.stringify(answer, (name, value: unknown) => (name === secret ? null : value));

/**
 * Makes a creating operation accept `Idempotency-Key`. Not global, because an interceptor sends every response through RxJS.
 * @param secret the response field that is not stored; it is null in repeated responses
 */
export const Idempotent = ({ secret }: { secret?: string } = {}): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    SetMetadata(secretField, secret),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes the request safe to repeat. For 24 hours, the same key with the same body returns the first response again, ' +
        'with `Idempotent-Replayed: true`.' +
        (secret === undefined ? '' : ` The service does not store \`${secret}\`; it is null in a repeated response.`),
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: describedPattern(acceptableKey) },
      example: '6f1c8a52-3b0e-4f6e-9a53-0c9d8b6f2f11',
    }),
  );
