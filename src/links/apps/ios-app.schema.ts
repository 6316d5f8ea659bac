import { EntitySchema } from 'typeorm';
import type { IosApp } from './ios-app';

export const IosAppSchema = new EntitySchema<IosApp>({
  name: 'IosApp',
  tableName: 'ios_apps',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    name: { type: 'text' },
    bundleId: { type: 'text', name: 'bundle_id' },
    teamId: { type: 'text', name: 'team_id' },
    appStoreId: { type: 'text', name: 'appstore_id', nullable: true },
    appClipBundleId: { type: 'text', name: 'app_clip_bundle_id', nullable: true },
    paths: { type: 'text', array: true, nullable: true },
    sharedCredentials: { type: 'boolean', name: 'shared_credentials' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
