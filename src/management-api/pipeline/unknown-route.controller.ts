import { All, Controller, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import type { ApiRequest } from './api-request';
import { AllowUnknownQuery } from '../../api-kit/kit/route-markers';

/**
 * Answers 404 where no other controller matches. It is a route, so that the guards run. Requests count for the rate limit, `/api/v1` stays
 * closed to callers without a key, and a known path with another method is 405.
 */
@ApiExcludeController()
@AllowUnknownQuery()
@Controller()
export class UnknownRouteController {
  @All('api/v1{/*path}')
  answerInsideApi(@Req() request: ApiRequest): never {
    throw refusalOf(request);
  }

  @All('{*path}')
  answerElsewhere(@Req() request: ApiRequest): never {
    throw refusalOf(request);
  }
}

const refusalOf = ({ undecodable }: ApiRequest): Error =>
  undecodable
    ? InvalidInput.asAWhole('invalid_format', 'The URL is not valid percent-encoded UTF-8')
    : new NotFound('Route');
