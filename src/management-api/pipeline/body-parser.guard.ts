import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { InvalidInput } from '../../shared/problem';
import { declaredFields } from '../kit/declared-fields';
import { jsonBody } from '../kit/json-body';
import { unknownParameters } from '../kit/strict-validation.pipe';
import { apiRequestOf } from './api-request';
import { anyQuery } from '../kit/route-markers';

/** What an operation takes, as its handler's decorators say. */
interface Intake {
  body: boolean;
  query: boolean;
  anyQuery: boolean;
}

/**
 * Reads the body, as the last of the guards: who may not call learns nothing of what was wrong with the body, and nobody's
 * 100 kB are parsed for nothing. An interceptor could do it as well, but any interceptor sends each answer through RxJS
 * (measured: 7 % of a request).
 */
@Injectable()
export class BodyParserGuard implements CanActivate {
  readonly #intakes = new WeakMap<object, Intake>();

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = apiRequestOf(context);
    const intake = this.#intakeOf(context);
    if (intake.body) request.body = await jsonBody(request, context.switchToHttp().getResponse<Response>());
    if (intake.anyQuery) return true;
    if (request.undecodable) throw new InvalidInput('The query is not valid percent-encoded UTF-8');
    // A query of an operation that takes one is read by its class; the others take none.
    if (!intake.query && request.url.includes('?')) {
      const unknown = Object.keys(request.query);
      if (unknown.length > 0) throw unknownParameters(unknown);
    }
    return true;
  }

  #intakeOf(context: ExecutionContext): Intake {
    const handler = context.getHandler();
    let intake = this.#intakes.get(handler);
    if (!intake) {
      const controller = context.getClass();
      const inputs = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ??
        []) as unknown[];
      const takes = inputs.some((input) => declaredFields(input).size > 0);
      const { method } = apiRequestOf(context);
      const writes = method === 'POST' || method === 'PUT';
      intake = {
        body: takes && writes,
        query: takes && !writes,
        anyQuery: Reflect.getMetadata(anyQuery, controller) === true,
      };
      this.#intakes.set(handler, intake);
    }
    return intake;
  }
}
