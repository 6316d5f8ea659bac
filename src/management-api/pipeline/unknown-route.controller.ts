import { All, Controller, Module, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFound } from '../../shared/domain-error';
import { InvalidInput } from '../../shared/problem';
import { MethodNotAllowed } from '../kit/http.errors';
import type { ApiRequest } from './api-request';
import { AllowUnknownQuery, Public } from '../kit/route-markers';
import { HttpModule } from './http.module';
import { RouteTable } from './route-table';

/**
 * Answers 404 or 405 where no other controller matches. It is a route, so that the guards run: requests count for the rate
 * limit, and `/api/v1` stays closed to callers without a key.
 */
@ApiExcludeController()
@AllowUnknownQuery()
@Controller()
class UnknownRouteController {
  constructor(private readonly routes: RouteTable) {}

  @All('api/v1{/*path}')
  answerInsideApi(@Req() request: ApiRequest): never {
    if (request.undecodable)
      throw InvalidInput.asAWhole('invalid_format', 'The URL is not valid percent-encoded UTF-8');
    return this.refuse(request);
  }

  @Public()
  @All('{*path}')
  answerElsewhere(@Req() request: ApiRequest): never {
    return this.refuse(request);
  }

  private refuse(request: ApiRequest): never {
    const methods = this.routes.methodsOf(request.path);
    throw methods.length > 0 ? new MethodNotAllowed(methods) : new NotFound('Route');
  }
}

/** A module that the application must import last, because Nest tries routes in the order of their modules. */
@Module({ imports: [HttpModule], controllers: [UnknownRouteController] })
export class UnknownRouteModule {}
