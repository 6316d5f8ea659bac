import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../shared/unit-of-work';
import { MobileAppsService } from '../mobile-apps/mobile-apps.service';
import type { AndroidApp, AndroidAppSortKey } from './android-app';
import { AndroidAppRepository } from './android-app.repository';

@Injectable()
export class AndroidAppsService extends MobileAppsService<AndroidApp, AndroidAppSortKey> {
  constructor(apps: AndroidAppRepository, unitOfWork: UnitOfWork) {
    super(apps, unitOfWork, 'Android app');
  }
}
