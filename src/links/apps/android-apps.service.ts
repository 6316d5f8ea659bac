import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { AppLimit } from './app-limit';
import { MobileAppsService } from './mobile-apps.service';
import type { AndroidApp, AndroidAppSortKey } from './android-app';
import { AndroidAppRepository } from './android-app.repository';
import { assetLinksFormat } from '../association-files/asset-links';

@Injectable()
export class AndroidAppsService extends MobileAppsService<AndroidApp, AndroidAppSortKey> {
  constructor(apps: AndroidAppRepository, limit: AppLimit, unitOfWork: UnitOfWork) {
    super(apps, limit, unitOfWork, assetLinksFormat, 'Android app');
  }
}
