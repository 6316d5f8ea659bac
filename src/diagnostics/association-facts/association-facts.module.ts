import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AssociationFactsRepository } from './association-facts.repository';
import { PgAssociationFactsRepository } from './pg-association-facts.repository';

@Module({
  imports: [DatabaseModule],
  providers: [{ provide: AssociationFactsRepository, useClass: PgAssociationFactsRepository }],
  exports: [AssociationFactsRepository],
})
export class AssociationFactsModule {}
