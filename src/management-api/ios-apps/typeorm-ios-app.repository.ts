import { Injectable } from '@nestjs/common';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { TypeormMobileAppRepository } from '../mobile-apps/typeorm-mobile-app.repository';
import type { IosApp, IosAppChanges, IosAppSortKey } from './ios-app';
import { BundleIdExists } from './ios-app.errors';
import { IosAppSchema } from './ios-app.schema';

const apps: ListDefinition<IosAppSortKey> = {
  owner: 'project_id',
  searched: ['fold_text(t.name)', 'fold_text(t.bundle_id)'],
  sortColumns: { name: 'name COLLATE "C"', bundle_id: 'bundle_id', created_at: 'created_at', updated_at: 'updated_at' },
};

@Injectable()
export class TypeormIosAppRepository extends TypeormMobileAppRepository<IosApp, IosAppSortKey> {
  constructor(context: TransactionContext) {
    super(context, IosAppSchema, apps, {
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
