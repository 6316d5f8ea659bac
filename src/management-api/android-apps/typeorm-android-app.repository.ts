import { Injectable } from '@nestjs/common';
import type { ListDefinition } from '../../platform/postgres/list-sql';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { TypeormMobileAppRepository } from '../mobile-apps/typeorm-mobile-app.repository';
import type { AndroidApp, AndroidAppChanges, AndroidAppSortKey } from './android-app';
import { PackageNameExists } from './android-app.errors';
import { AndroidAppSchema } from './android-app.schema';

const apps: ListDefinition<AndroidAppSortKey> = {
  owner: 'project_id',
  searched: ['fold_text(t.name)', 'fold_text(t.package_name)'],
  sortColumns: {
    name: 'name COLLATE "C"',
    package_name: 'package_name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
};

@Injectable()
export class TypeormAndroidAppRepository extends TypeormMobileAppRepository<AndroidApp, AndroidAppSortKey> {
  constructor(context: TransactionContext) {
    super(context, AndroidAppSchema, apps, {
      column: 'android_app_id',
      constraint: 'dynamic_links_android_app_fk',
      appName: 'Android app',
    });
  }

  protected errorsByConstraint({ packageName }: AndroidAppChanges) {
    return {
      android_apps_package_name_unique: () => new PackageNameExists(String(packageName)),
      android_apps_project_fk: () => new NotFound('Project'),
    };
  }
}
