import { TextInput } from '@mantine/core';
import type { IosApp } from 'signpost-client';
import { answerOf, api, versionOf } from '../../api/client';
import { type AppValues, pathsOf, type Platform, withoutNull } from './platform';

interface IosValues extends AppValues {
  bundle_id: string;
  team_id: string;
  appstore_id: string;
  app_clip_bundle_id: string;
}

const bodyOf = (values: IosValues) => ({
  name: values.name.trim(),
  bundle_id: values.bundle_id.trim(),
  team_id: values.team_id.trim(),
  appstore_id: values.appstore_id.trim() || null,
  app_clip_bundle_id: values.app_clip_bundle_id.trim() || null,
  paths: pathsOf(values),
  shared_credentials: values.shared_credentials,
});

export const ios: Platform<IosApp, IosValues> = {
  name: 'ios',
  titleOfNew: 'apps.newIos',
  valuesOf: (app) => ({
    name: app?.name ?? '',
    bundle_id: app?.bundle_id ?? '',
    team_id: app?.team_id ?? '',
    appstore_id: app?.appstore_id ?? '',
    app_clip_bundle_id: app?.app_clip_bundle_id ?? '',
    paths: app?.paths ?? [],
    shared_credentials: app?.shared_credentials ?? false,
  }),
  labels: {
    name: 'apps.name',
    bundle_id: 'apps.bundleId',
    team_id: 'apps.teamId',
    appstore_id: 'apps.appStoreId',
    app_clip_bundle_id: 'apps.appClip',
    paths: 'apps.paths',
    shared_credentials: 'apps.sharedCredentials',
  },
  rules: {
    bundle_id: ['malformed_bundle_id'],
    team_id: ['malformed_team_id'],
    app_clip_bundle_id: ['app_clip_of_other_app'],
    paths: ['malformed_paths', 'link_outside_paths', 'link_in_other_paths'],
  },
  fields: (inputOf, t) => (
    <>
      <TextInput
        {...inputOf('bundle_id')}
        description={t('apps.bundleIdHint')}
        placeholder="com.example.shop"
        required
      />
      <TextInput {...inputOf('team_id')} description={t('apps.teamIdHint')} placeholder="A1B2C3D4E5" required />
      <TextInput {...inputOf('appstore_id')} description={t('apps.appStoreIdHint')} inputMode="numeric" />
      <TextInput {...inputOf('app_clip_bundle_id')} />
    </>
  ),
  read: (projectId, appId) =>
    versionOf(api.GET('/projects/{projectId}/ios-apps/{appId}', { params: { path: { projectId, appId } } })),
  create: (projectId, values, key) =>
    answerOf(
      api.POST('/projects/{projectId}/ios-apps', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: withoutNull(bodyOf(values)),
      }),
    ),
  update: (projectId, appId, values, etag) =>
    answerOf(
      api.PUT('/projects/{projectId}/ios-apps/{appId}', {
        params: { path: { projectId, appId }, header: { 'If-Match': etag } },
        body: bodyOf(values),
      }),
    ),
  remove: (projectId, appId) =>
    answerOf(api.DELETE('/projects/{projectId}/ios-apps/{appId}', { params: { path: { projectId, appId } } })),
};
