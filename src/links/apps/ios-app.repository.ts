import { MobileAppRepository } from './mobile-app.repository';
import type { IosApp, IosAppSortKey } from './ios-app';

export abstract class IosAppRepository extends MobileAppRepository<IosApp, IosAppSortKey> {}
