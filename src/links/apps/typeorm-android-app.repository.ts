import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/postgres/transaction-context';
import { NotFound } from '../../shared/domain-error';
import { TypeormMobileAppRepository } from './typeorm-mobile-app.repository';
import type { AndroidApp, AndroidAppChanges, AndroidAppSortKey } from './android-app';
import { PackageNameExists } from './android-app.errors';
import { AndroidAppSchema } from './android-app.schema';

@Injectable()
export class TypeormAndroidAppRepository extends TypeormMobileAppRepository<AndroidApp, AndroidAppSortKey> {
  constructor(context: TransactionContext) {
    super(context, AndroidAppSchema, ['t.name', 't.packageName'], {
      table: 'android_apps',
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
