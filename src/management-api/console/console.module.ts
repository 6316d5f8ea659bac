import { Module } from '@nestjs/common';
import { ConsoleFiles } from './console-files';
import { ConsoleSettings } from './console-settings';
import { ConsoleController, StartPageController } from './console.controller';
import { provide } from '../../shared/provide';

/** A module that the application must import after all others with routes, because its routes have a wild card. */
@Module({
  controllers: [ConsoleController, StartPageController],
  providers: [provide(ConsoleFiles, [ConsoleSettings], ({ folder }) => new ConsoleFiles(folder))],
})
export class ConsoleModule {}
