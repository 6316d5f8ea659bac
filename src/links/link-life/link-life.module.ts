import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { LinkLifeController } from './link-life.controller';
import { PgLinkLifeRepository } from './pg-link-life.repository';

@Module({
  imports: [DatabaseModule],
  controllers: [LinkLifeController],
  providers: [PgLinkLifeRepository],
  exports: [PgLinkLifeRepository],
})
export class LinkLifeModule {}
