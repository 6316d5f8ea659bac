import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../platform/postgres/database.module';
import { AssociationFactsRepository } from './association-facts.repository';
import { TypeormAssociationFactsRepository } from './typeorm-association-facts.repository';

@Module({
  imports: [DatabaseModule],
  providers: [{ provide: AssociationFactsRepository, useClass: TypeormAssociationFactsRepository }],
  exports: [AssociationFactsRepository],
})
export class AssociationFactsModule {}
