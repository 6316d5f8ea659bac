import type { components } from 'signpost-client';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Versioned } from '../../api/client';
import type { MessageKey } from '../../i18n/text';

export type AssociationProblem = components['schemas']['AssociationProblem'];

/** The fields that apps of both platforms have. */
export interface AppValues {
  name: string;
  paths: string[];
  shared_credentials: boolean;
}

/** The properties of an input: value, label, and the error of the service or the rule that phones apply. A part of a field has its own label. */
type InputOf = (
  field: string,
  label?: MessageKey,
) => ReturnType<UseFormReturnType<AppValues>['getInputProps']> & { label: string };

/** Says how the apps of a platform are shown, edited and stored. */
export interface Platform<App, Values extends AppValues> {
  name: 'ios' | 'android';
  titleOfNew: MessageKey;
  valuesOf: (app: App | null) => Values;
  labels: Record<keyof Values, MessageKey>;
  /** Rules of Apple and Google, by the field that breaks them. */
  rules: Partial<Record<keyof Values, AssociationProblem['code'][]>>;
  /** The fields between the name and the paths. */
  fields: (inputOf: InputOf, t: (key: MessageKey) => string) => ReactNode;
  read: (projectId: string, appId: string) => Promise<Versioned<App>>;
  create: (projectId: string, values: Values, idempotencyKey: string) => Promise<unknown>;
  update: (projectId: string, appId: string, values: Values, etag: string) => Promise<unknown>;
  remove: (projectId: string, appId: string) => Promise<unknown>;
}

export const pathsOf = ({ paths }: AppValues): string[] | null => (paths.length > 0 ? paths : null);

/** Returns the fields of a body without those that have no value, because a creation does not accept null. */
export const withoutNull = <Body extends object>(body: Body): { [K in keyof Body]: NonNullable<Body[K]> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as {
    [K in keyof Body]: NonNullable<Body[K]>;
  };
