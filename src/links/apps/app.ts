import { inField, type Problem } from '../../shared/problem';
import type { Rule } from '../../shared/rule';
import { androidAppFields, iosAppFields } from './app-fields';

export const fieldsByPlatform = { ios: iosAppFields, android: androidAppFields };

export type AppPlatform = keyof typeof fieldsByPlatform;

type ValueOf<Field> = Field extends { rule: Rule<infer Value> }
  ? Value | (Field extends { default: null } ? null : never)
  : never;

type ValuesOf<Table> = { readonly [Property in keyof Table]: ValueOf<Table[Property]> };

/** The fields that a caller sets. */
export type AppFields<P extends AppPlatform> = ValuesOf<(typeof fieldsByPlatform)[P]>;
export type AppChanges<P extends AppPlatform> = Partial<AppFields<P>>;
export type NewApp<P extends AppPlatform> = AppFields<P> & { readonly id: string; readonly projectId: string };

/** An app of a project: credentials for the association file of its platform. */
export type App<P extends AppPlatform> = NewApp<P> & { readonly createdAt: Date; readonly updatedAt: Date };

export type IosApp = App<'ios'>;
export type AndroidApp = App<'android'>;

/** Refuses changes after which an identifier of the app starts with its team id, as in the association file. */
export const teamIdProblems = (app: AppFields<'ios'>, changes: AppChanges<'ios'>): Problem[] =>
  (['bundleId', 'appClipBundleId'] as const).flatMap((field) => {
    const [id, prefix] = [app[field], `${app.teamId}.`];
    const isChanged = field in changes || 'teamId' in changes;
    if (!isChanged || !id?.toUpperCase().startsWith(prefix)) return [];
    const message = `must not start with the team_id; send ${id.slice(prefix.length)}`;
    return inField(iosAppFields[field].column, [{ code: 'invalid_format', path: [], message }]);
  });
