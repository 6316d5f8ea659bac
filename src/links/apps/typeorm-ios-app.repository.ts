import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { TypeormMobileAppRepository } from './typeorm-mobile-app.repository';
import type { IosApp, IosAppChanges, IosAppSortKey } from './ios-app';
import { BundleIdExists } from './ios-app.errors';
import { IosAppSchema } from './ios-app.schema';

@Injectable()
export class TypeormIosAppRepository extends TypeormMobileAppRepository<IosApp, IosAppSortKey> {
  constructor(context: TransactionContext) {
    super(context, IosAppSchema, ['t.name', 't.bundleId'], {
      table: 'ios_apps',
      column: 'ios_app_id',
      constraint: 'dynamic_links_ios_app_fk',
      appName: 'iOS app',
    });
  }

  protected errorsByConstraint({ bundleId }: IosAppChanges) {
    return {
      ios_apps_bundle_id_unique: () => new BundleIdExists(String(bundleId)),
      ios_apps_project_fk: () => new NotFound('Project'),
    };
  }
}
