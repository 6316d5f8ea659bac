import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { Response } from 'express';
import { InvalidInput } from '../../shared/problem';
import { declaredFields } from '../../api-kit/kit/declared-fields';
import { maxBodyBytes } from '../../platform/http/unwanted-body';
import { uncounted } from '../../platform/postgres/request-context';
import { jsonBody, mayExceed } from '../../api-kit/kit/json-body';
import { responseOf } from '../../api-kit/kit/request';
import { addProblems, refuseUnknownParameters, StrictValidationPipe } from '../../api-kit/kit/strict-validation.pipe';
import { type ApiRequest, apiRequestOf } from './api-request';
import { allowsUnknownQuery, maxBytesOfBody } from '../../api-kit/kit/route-markers';
import { ConcurrencyLimits, TooManyAtOnce } from '../../api-kit/kit/concurrency-limits';

/** Bodies that may exceed 100 kB, and that an account, or all accounts, send to a process at once. They are held in memory. */
export const maxLargeBodies = { ofAccount: 4, ofProcess: 16 };

/** The inputs of an operation, read from its handler's parameter types. */
interface Intake {
  /** The class of the body; undefined if the operation takes none. */
  body: Type | undefined;
  /** The class of the query; undefined if the operation takes none. */
  query: Type | undefined;
  anyQuery: boolean;
  /** Undefined for the limit of most operations. */
  maxBytes: number | undefined;
}

/**
 * Parses the JSON body and refuses unknown query parameters. It is the last guard, because a caller without access must
 * neither learn about faults of the body nor cost the parsing of 100 kB.
 *
 * It is no interceptor, because an interceptor sends each response through RxJS.
 * Measured: 7 % of a request.
 */
@Injectable()
export class BodyParserGuard implements CanActivate {
  readonly #intakes = new WeakMap<object, Intake>();
  readonly #validationPipe = new StrictValidationPipe();
  /** A slow client may take thirty seconds for a large body. */
  readonly #largeBodies = new ConcurrencyLimits(
    maxLargeBodies,
    () => new TooManyAtOnce(1, 'Too many large bodies are being sent'),
  );

  canActivate(context: ExecutionContext): true | Promise<true> {
    const request = apiRequestOf(context);
    const intake = this.#intakeOf(context);
    const isChecked = intake.body !== undefined || request.undecodable === true || request.url.includes('?');
    return isChecked ? this.#checkInput(intake, request, responseOf(context)) : true;
  }

  async #checkInput(intake: Intake, request: ApiRequest, response: Response): Promise<true> {
    if (intake.body) request.body = await this.#readBody(request, response, intake.maxBytes);
    if (intake.anyQuery) return true;
    if (request.undecodable) {
      const message = 'The query is not valid percent-encoded UTF-8';
      await addProblems([{ code: 'invalid_format', path: [], message }], () => this.#checkBody(intake, request.body));
    }
    // The ValidationPipe checks the query of an operation that declares one.
    if (!intake.query && request.url.includes('?')) {
      const unknown = Object.keys(request.query);
      // The ValidationPipe would check the body too late to report its problems in the same answer.
      if (unknown.length > 0) await refuseUnknownParameters(unknown, () => this.#checkBody(intake, request.body));
    }
    if (intake.query && intake.body) await this.#checkQueryWithBody(intake, request);
    return true;
  }

  #readBody(request: ApiRequest, response: Response, maxBytes: number | undefined): Promise<unknown> {
    const read = () => uncounted(() => jsonBody(request, response, maxBytes));
    const { caller, destroyed } = request;
    // A client that has gone takes no place, not even until its error is thrown.
    return caller && maxBytes !== undefined && !destroyed && mayExceed(request, maxBodyBytes)
      ? this.#largeBodies.run(caller.accountId, read)
      : read();
  }

  /** @throws ForbiddenField, InvalidInput */
  async #checkBody({ body: metatype }: Intake, sent: unknown): Promise<void> {
    if (metatype) await this.#validationPipe.transform(sent, { type: 'body', metatype });
  }

  /**
   * Refuses an invalid query together with the problems of the body, because Nest's pipes would report those of one of them.
   * @throws ForbiddenField, InvalidInput
   */
  async #checkQueryWithBody(intake: Intake, request: ApiRequest): Promise<void> {
    try {
      await this.#validationPipe.transform(request.query, { type: 'query', metatype: intake.query });
    } catch (inQuery) {
      if (!(inQuery instanceof InvalidInput)) throw inQuery;
      await addProblems(inQuery.details, () => this.#checkBody(intake, request.body));
    }
  }

  #intakeOf(context: ExecutionContext): Intake {
    const handler = context.getHandler();
    let intake = this.#intakes.get(handler);
    if (!intake) {
      const controller = context.getClass();
      intake = {
        body: inputOf(controller, handler, RouteParamtypes.BODY),
        query: inputOf(controller, handler, RouteParamtypes.QUERY),
        anyQuery: Reflect.getMetadata(allowsUnknownQuery, controller) === true,
        maxBytes: Reflect.getMetadata(maxBytesOfBody, handler) as number | undefined,
      };
      this.#intakes.set(handler, intake);
    }
    return intake;
  }
}

/** Returns the class with which a handler declares its body or query; undefined if it takes none. */
function inputOf(controller: Type, handler: { name: string }, place: RouteParamtypes): Type | undefined {
  const types = Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) as Type[];
  const places = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) as Record<
    string,
    { index: number }
  >;
  // Nest's keys are such as `3:1`: the kind of the parameter, and its position.
  const entry = Object.entries(places ?? {}).find(([key]) => key.startsWith(`${place}:`));
  const type = entry && types[entry[1].index];
  return declaredFields(type).names.size > 0 ? type : undefined;
}
