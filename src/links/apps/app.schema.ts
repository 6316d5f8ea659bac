import type { EntitySchema } from 'typeorm';
import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import { NotFound } from '../../shared/domain-error';
import { type App, type AppPlatform, fieldsByPlatform } from './app';
import { BundleIdExists, PackageNameExists } from './app.errors';

/** The tables of apps, the SQL of the texts that lists search, and what references apps in dynamic links. */
export const appTables = {
  ios: {
    name: 'ios_apps',
    searched: ['t.name', 't.bundleId'],
    linkColumn: 'ios_app_id',
    linkConstraint: 'dynamic_links_ios_app_fk',
  },
  android: {
    name: 'android_apps',
    searched: ['t.name', 't.packageName'],
    linkColumn: 'android_app_id',
    linkConstraint: 'dynamic_links_android_app_fk',
  },
} as const;

/** Maps the constraints that a write can violate to errors. `fields` are those that the write sets. */
export function errorsByConstraint(fields: object) {
  const { bundleId, packageName } = fields as { bundleId?: string; packageName?: string };
  return {
    ios_apps_bundle_id_unique: () => new BundleIdExists(String(bundleId)),
    ios_apps_project_fk: () => new NotFound('Project'),
    android_apps_package_name_unique: () => new PackageNameExists(String(packageName)),
    android_apps_project_fk: () => new NotFound('Project'),
  };
}

function schemaOf<P extends AppPlatform>(platform: P): EntitySchema<App<P>> {
  const { name } = appTables[platform];
  return entitySchema<App<P>>({
    name,
    tableName: name,
    columns: {
      ...idColumns,
      ...fieldColumns(fieldsByPlatform[platform]),
      ...timeColumns,
    },
  });
}

export const appSchemas: { readonly [P in AppPlatform]: EntitySchema<App<P>> } = {
  ios: schemaOf('ios'),
  android: schemaOf('android'),
};
