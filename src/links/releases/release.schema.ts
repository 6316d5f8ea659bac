import type { EntitySchema } from 'typeorm';
import { entitySchema } from '../../platform/postgres/entity-schemas';
import { fieldColumns, idColumns, timeColumns } from '../../platform/tables/field-columns';
import type { AppPlatform } from '../apps/app';
import type { AppRelease } from './app-release';
import { releaseFields } from './release-fields';

/** Maps the releases of a platform. Both platforms share a table, in which a release has the id of an app of one of them. */
const schemaOf = (platform: AppPlatform): EntitySchema<AppRelease> =>
  entitySchema<AppRelease>({
    name: `${platform}_app_releases`,
    tableName: 'app_releases',
    columns: {
      ...idColumns,
      appId: { type: 'uuid', name: `${platform}_app_id` },
      ...fieldColumns(releaseFields[platform]),
      ...timeColumns,
    },
  });

export const releaseSchemas = {
  ios: schemaOf('ios'),
  android: schemaOf('android'),
};
