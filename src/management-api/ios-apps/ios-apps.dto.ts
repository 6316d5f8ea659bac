import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsDisplayName, IsSearchText } from '../kit/field.decorators';
import { IsSortKey, ListQuery } from '../kit/list-query';
import { omitUndefined } from '../kit/omit-undefined';
import { dataOf, pageOf } from '../openapi/envelopes';
import { limitsOf } from '../../shared/rule';
import { displayName } from '../../shared/text';
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
    description: 'Bundle identifier, unique in the project without regard to letter case.',
    example: 'com.example.shop',
  },
  team_id: { description: 'Apple developer team identifier.', example: 'ABCDE12345' },
  appstore_id: { description: 'Number of the app in the App Store.', example: '1234567890' },
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

  static toApp(body: CreateIosAppBody): NewIosApp {
    return { name: body.name, bundleId: body.bundle_id, teamId: body.team_id, appStoreId: body.appstore_id ?? null };
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

  static toChanges(body: UpdateIosAppBody): IosAppChanges {
    return omitUndefined({
      name: body.name,
      bundleId: body.bundle_id,
      teamId: body.team_id,
      appStoreId: body.appstore_id,
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
      created_at: app.createdAt.toISOString(),
      updated_at: app.updatedAt.toISOString(),
    };
  }
}

export class IosAppResponse extends dataOf(IosAppDto) {}
export class IosAppPage extends pageOf(IosAppDto) {}
