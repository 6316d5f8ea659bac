import { MobileAppRepository } from './mobile-app.repository';
import type { AndroidApp, AndroidAppSortKey } from './android-app';

export abstract class AndroidAppRepository extends MobileAppRepository<AndroidApp, AndroidAppSortKey> {}
