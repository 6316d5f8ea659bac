import { Module } from '@nestjs/common';
import { ConsoleFiles } from './console-files';
import { ConsoleController, StartPageController } from './console.controller';

/** A module that the application must import after all others with routes, because its routes have a wild card. */
@Module({
  controllers: [ConsoleController, StartPageController],
  providers: [ConsoleFiles],
})
export class ConsoleModule {}
