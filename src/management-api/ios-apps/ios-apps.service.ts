import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { MobileAppsService } from '../mobile-apps/mobile-apps.service';
import type { IosApp, IosAppSortKey } from './ios-app';
import { IosAppRepository } from './ios-app.repository';

@Injectable()
export class IosAppsService extends MobileAppsService<IosApp, IosAppSortKey> {
  constructor(apps: IosAppRepository, unitOfWork: UnitOfWork) {
    super(apps, unitOfWork, 'iOS app');
  }
}
