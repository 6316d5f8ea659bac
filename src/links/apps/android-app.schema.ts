import { EntitySchema } from 'typeorm';
import type { AndroidApp } from './android-app';

export const AndroidAppSchema = new EntitySchema<AndroidApp>({
  name: 'AndroidApp',
  tableName: 'android_apps',
  columns: {
    id: { type: 'uuid', primary: true },
    projectId: { type: 'uuid', name: 'project_id' },
    name: { type: 'text' },
    packageName: { type: 'text', name: 'package_name' },
    shaFingerprints: { type: 'text', array: true, name: 'sha_fingerprints' },
    androidStores: { type: 'jsonb', name: 'android_stores', nullable: true },
    paths: { type: 'text', array: true, nullable: true },
    sharedCredentials: { type: 'boolean', name: 'shared_credentials' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
    updatedAt: { type: 'timestamptz', name: 'updated_at', updateDate: true },
  },
});
