import { type Properties, propertyOf } from '../../shared/field-table';
import { inField, type Problem } from '../../shared/problem';
import { androidAppFields, iosAppFields } from './app-fields';

export const fieldsByPlatform = { ios: iosAppFields, android: androidAppFields };

export type AppPlatform = keyof typeof fieldsByPlatform;

interface PropertiesByPlatform {
  ios: Properties<typeof iosAppFields>;
  android: Properties<typeof androidAppFields>;
}

export type AppFields<P extends AppPlatform> = PropertiesByPlatform[P];
export type AppChanges<P extends AppPlatform> = Partial<AppFields<P>>;
export type NewApp<P extends AppPlatform> = AppFields<P> & { readonly id: string; readonly projectId: string };

/** An app of a project: credentials for the association file of its platform. */
export type App<P extends AppPlatform> = NewApp<P> & { readonly createdAt: Date; readonly updatedAt: Date };

export type IosApp = App<'ios'>;
export type AndroidApp = App<'android'>;

/** Refuses changes after which an identifier of the app starts with its team id, as in the association file. */
export const teamIdProblems = (app: AppFields<'ios'>, changes: AppChanges<'ios'>): Problem[] =>
  (['bundle_id', 'app_clip_bundle_id'] as const).flatMap((name) => {
    const field = propertyOf(name) as 'bundleId' | 'appClipBundleId';
    const [id, prefix] = [app[field], `${app.teamId}.`];
    const isChanged = field in changes || 'teamId' in changes;
    if (!isChanged || !id?.toUpperCase().startsWith(prefix)) return [];
    const message = `must not start with the team_id; send ${id.slice(prefix.length)}`;
    return inField(name, [{ code: 'invalid_format', path: [], message }]);
  });
