import { Module } from '@nestjs/common';
import { UnknownRouteController } from './unknown-route.controller';

/** A module that the application must import last, because Nest tries routes in the order of their modules. */
@Module({ controllers: [UnknownRouteController] })
export class UnknownRouteModule {}
