import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsDisplayName, IsJsonBoolean, IsSearchText } from '../../api-kit/kit/field.decorators';
import { IsSortKey, ListQuery } from '../../api-kit/kit/list-query';
import { omitUndefined } from '../../api-kit/kit/omit-undefined';
import { dataOf, pageOf } from '../../api-kit/openapi/envelopes';
import { limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
import { describedAppFields } from './described-fields';
import { IsAppPaths } from './mobile-apps.decorators';
import {
  type AndroidApp,
  type AndroidAppChanges,
  type AndroidAppSortKey,
  type AndroidStores,
  maxFingerprints,
  type NewAndroidApp,
  packageName,
} from './android-app';
import { IsAndroidStores, IsFingerprints, IsPackageName } from './android-apps.decorators';

const described = {
  name: { description: 'Display name.', example: 'Shop' },
  package_name: {
    description: 'Application ID, unique in the project.',
    example: 'com.example.shop',
  },
  sha_fingerprints: {
    description:
      'SHA-256 fingerprints of the certificates that sign the app. They are read in any letter case, with colons or without, and ' +
      'with the label that `keytool` and `apksigner` print. They are stored in upper case with colons, without duplicates. With Play App Signing, send the fingerprint that the Play Console shows under "App signing key ' +
      'certificate".',
    example: ['14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5'],
  },
  android_stores: {
    description:
      'Ids of the app in other stores: the app ID of AppGallery, and the package names in the Amazon Appstore and the Galaxy Store. ' +
      "Visitors whose user agent names a device of the store's vendor are sent there instead of the Play Store.",
    example: { appgallery: 'C100000001', amazon: 'com.example.shop', samsung: 'com.example.shop' },
  },
  paths: describedAppFields.paths,
  shared_credentials: {
    description:
      'Whether the app uses passwords and passkeys of the link hosts (relation `delegate_permission/common.get_login_creds`).',
    example: false,
  },
};

const optional = true;

export class CreateAndroidAppBody {
  @IsDisplayName(described.name)
  name: string;

  @IsPackageName(described.package_name)
  package_name: string;

  @IsFingerprints({ minItems: 1, ...described.sha_fingerprints })
  sha_fingerprints: string[];

  @IsAndroidStores({ ...described.android_stores, optional })
  android_stores?: AndroidStores;

  @IsAppPaths({ ...described.paths, optional })
  paths?: string[];

  @IsJsonBoolean({ ...described.shared_credentials, optional })
  shared_credentials?: boolean;

  static toApp(body: CreateAndroidAppBody): NewAndroidApp {
    return {
      name: body.name,
      packageName: body.package_name,
      shaFingerprints: body.sha_fingerprints,
      androidStores: body.android_stores ?? null,
      paths: body.paths ?? null,
      sharedCredentials: body.shared_credentials ?? false,
    };
  }
}

export class UpdateAndroidAppBody {
  @IsDisplayName({ ...described.name, optional })
  name?: string;

  @IsPackageName({ ...described.package_name, optional })
  package_name?: string;

  @IsFingerprints({
    minItems: 0,
    ...described.sha_fingerprints,
    description: `${described.sha_fingerprints.description} An empty list removes the app from the asset-links file.`,
    optional,
  })
  sha_fingerprints?: string[];

  @IsAndroidStores({
    ...described.android_stores,
    description: `${described.android_stores.description} The object replaces the stored one.`,
    optional,
    nullable: true,
  })
  android_stores?: AndroidStores | null;

  @IsAppPaths({ ...described.paths, optional, nullable: true })
  paths?: string[] | null;

  @IsJsonBoolean({ ...described.shared_credentials, optional })
  shared_credentials?: boolean;

  static toChanges(body: UpdateAndroidAppBody): AndroidAppChanges {
    return omitUndefined({
      name: body.name,
      packageName: body.package_name,
      shaFingerprints: body.sha_fingerprints,
      androidStores: body.android_stores,
      paths: body.paths,
      sharedCredentials: body.shared_credentials,
    });
  }
}

export class ListAndroidAppsQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name or the package name.', example: 'shop' })
  search?: string;

  @IsSortKey(['name', 'package_name', 'created_at', 'updated_at'])
  sortBy: AndroidAppSortKey;
}

@ApiSchema({ name: 'AndroidApp' })
export class AndroidAppDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000b2' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, ...described.name })
  name: string;

  @ApiProperty({ ...limitsOf(packageName), ...described.package_name })
  package_name: string;

  @ApiProperty({ type: [String], maxItems: maxFingerprints, ...described.sha_fingerprints })
  sha_fingerprints: string[];

  @ApiProperty({
    type: 'object',
    properties: { appgallery: { type: 'string' }, amazon: { type: 'string' }, samsung: { type: 'string' } },
    nullable: true,
    ...described.android_stores,
  })
  android_stores: AndroidStores | null;

  @ApiProperty({ type: [String], nullable: true, ...described.paths })
  paths: string[] | null;

  @ApiProperty(described.shared_credentials)
  shared_credentials: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(this: void, app: AndroidApp): AndroidAppDto {
    return {
      id: app.id,
      project_id: app.projectId,
      name: app.name,
      package_name: app.packageName,
      sha_fingerprints: app.shaFingerprints,
      android_stores: app.androidStores,
      paths: app.paths,
      shared_credentials: app.sharedCredentials,
      created_at: app.createdAt.toISOString(),
      updated_at: app.updatedAt.toISOString(),
    };
  }
}

export class AndroidAppResponse extends dataOf(AndroidAppDto) {}
export class AndroidAppPage extends pageOf(AndroidAppDto) {}
