import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { PgAssociationFactsRepository } from './pg-association-facts.repository';

@Module({
  imports: [DatabaseModule],
  providers: [PgAssociationFactsRepository],
  exports: [PgAssociationFactsRepository],
})
export class AssociationFactsModule {}
