import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { AppLimit } from './app-limit';
import { MobileAppsService } from './mobile-apps.service';
import { appleAppSiteAssociationFormat } from '../association-files/apple-app-site-association';
import type { Problem } from '../../shared/problem';
import { type IosApp, type IosAppChanges, type IosAppSortKey, type NewIosApp, teamIdProblems } from './ios-app';
import { IosAppRepository } from './ios-app.repository';

@Injectable()
export class IosAppsService extends MobileAppsService<IosApp, IosAppSortKey> {
  constructor(apps: IosAppRepository, limit: AppLimit, unitOfWork: UnitOfWork) {
    super(apps, limit, unitOfWork, appleAppSiteAssociationFormat, 'iOS app');
  }

  protected override problemsAcrossFields(app: NewIosApp, changes: IosAppChanges): Problem[] {
    return teamIdProblems(app, changes);
  }
}
