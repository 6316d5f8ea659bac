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
  appStoreId,
  bundleId,
  type IosApp,
  type IosAppChanges,
  type IosAppSortKey,
  type NewIosApp,
  teamId,
} from './ios-app';
import { IsAppStoreId, IsBundleId, IsTeamId } from './ios-apps.decorators';

const described = {
  name: { description: 'Display name.', example: 'Shop' },
  bundle_id: {
    description: 'Bundle identifier without the team identifier, unique in the project without regard to letter case.',
    example: 'com.example.shop',
  },
  team_id: { description: 'Apple developer team identifier.', example: 'ABCDE12345' },
  appstore_id: {
    description: 'Number of the app in the App Store. `id` before the number is removed.',
    example: '1234567890',
  },
  app_clip_bundle_id: {
    description: 'Bundle identifier of the App Clip, for `appclips` of the association file.',
    example: 'com.example.shop.Clip',
  },
  paths: describedAppFields.paths,
  shared_credentials: {
    description:
      'Whether the app uses passwords and passkeys of the link hosts, and receives https callbacks of web sign-in ' +
      '(`webcredentials` of the association file).',
    example: false,
  },
};

const optional = true;

export class CreateIosAppBody {
  @IsDisplayName(described.name)
  name: string;

  @IsBundleId(described.bundle_id)
  bundle_id: string;

  @IsTeamId(described.team_id)
  team_id: string;

  @IsAppStoreId({ ...described.appstore_id, optional })
  appstore_id?: string;

  @IsBundleId({ ...described.app_clip_bundle_id, optional })
  app_clip_bundle_id?: string;

  @IsAppPaths({ ...described.paths, optional })
  paths?: string[];

  @IsJsonBoolean({ ...described.shared_credentials, optional })
  shared_credentials?: boolean;

  static toApp(body: CreateIosAppBody): NewIosApp {
    return {
      name: body.name,
      bundleId: body.bundle_id,
      teamId: body.team_id,
      appStoreId: body.appstore_id ?? null,
      appClipBundleId: body.app_clip_bundle_id ?? null,
      paths: body.paths ?? null,
      sharedCredentials: body.shared_credentials ?? false,
    };
  }
}

export class UpdateIosAppBody {
  @IsDisplayName({ ...described.name, optional })
  name?: string;

  @IsBundleId({ ...described.bundle_id, optional })
  bundle_id?: string;

  @IsTeamId({ ...described.team_id, optional })
  team_id?: string;

  @IsAppStoreId({ ...described.appstore_id, optional, nullable: true })
  appstore_id?: string | null;

  @IsBundleId({ ...described.app_clip_bundle_id, optional, nullable: true })
  app_clip_bundle_id?: string | null;

  @IsAppPaths({ ...described.paths, optional, nullable: true })
  paths?: string[] | null;

  @IsJsonBoolean({ ...described.shared_credentials, optional })
  shared_credentials?: boolean;

  static toChanges(body: UpdateIosAppBody): IosAppChanges {
    return omitUndefined({
      name: body.name,
      bundleId: body.bundle_id,
      teamId: body.team_id,
      appStoreId: body.appstore_id,
      appClipBundleId: body.app_clip_bundle_id,
      paths: body.paths,
      sharedCredentials: body.shared_credentials,
    });
  }
}

export class ListIosAppsQuery extends ListQuery {
  @IsSearchText({ description: 'Case-insensitive substring of the name or the bundle id.', example: 'shop' })
  search?: string;

  @IsSortKey(['name', 'bundle_id', 'created_at', 'updated_at'])
  sortBy: IosAppSortKey;
}

@ApiSchema({ name: 'IosApp' })
export class IosAppDto {
  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-0000000000b1' })
  id: string;

  @ApiProperty({ format: 'uuid', example: '0198c0de-7e57-7000-8000-000000000001' })
  project_id: string;

  @ApiProperty({ maxLength: displayName.schema.maxLength, ...described.name })
  name: string;

  @ApiProperty({ ...limitsOf(bundleId), ...described.bundle_id })
  bundle_id: string;

  @ApiProperty({ ...limitsOf(teamId), ...described.team_id })
  team_id: string;

  @ApiProperty({ type: 'string', nullable: true, ...limitsOf(appStoreId), ...described.appstore_id })
  appstore_id: string | null;

  @ApiProperty({ type: 'string', nullable: true, ...described.app_clip_bundle_id })
  app_clip_bundle_id: string | null;

  @ApiProperty({ type: [String], nullable: true, ...described.paths })
  paths: string[] | null;

  @ApiProperty(described.shared_credentials)
  shared_credentials: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-06-01T09:30:00.000Z' })
  updated_at: string;

  static of(this: void, app: IosApp): IosAppDto {
    return {
      id: app.id,
      project_id: app.projectId,
      name: app.name,
      bundle_id: app.bundleId,
      team_id: app.teamId,
      appstore_id: app.appStoreId,
      app_clip_bundle_id: app.appClipBundleId,
      paths: app.paths,
      shared_credentials: app.sharedCredentials,
      created_at: app.createdAt.toISOString(),
      updated_at: app.updatedAt.toISOString(),
    };
  }
}

export class IosAppResponse extends dataOf(IosAppDto) {}
export class IosAppPage extends pageOf(IosAppDto) {}
