/** The fields that iOS and Android apps share. */
export interface MobileApp {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The fields that a caller sets. */
export type MobileAppFields<App extends MobileApp> = Omit<App, 'id' | 'projectId' | 'createdAt' | 'updatedAt'>;

export type NewMobileApp<App extends MobileApp> = Omit<App, 'createdAt' | 'updatedAt'>;
