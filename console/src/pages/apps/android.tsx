import { Textarea, TextInput } from '@mantine/core';
import type { AndroidApp } from 'signpost-client';
import { answerOf, api, versionOf } from '../../api/client';
import { type AppValues, pathsOf, type Platform, withoutNull } from './platform';
import { fingerprintsIn } from './stored-app';

interface AndroidValues extends AppValues {
  package_name: string;
  /** One fingerprint per line. */
  sha_fingerprints: string;
}

const bodyOf = (values: AndroidValues) => ({
  name: values.name.trim(),
  package_name: values.package_name.trim(),
  sha_fingerprints: fingerprintsIn(values.sha_fingerprints),
  paths: pathsOf(values),
  shared_credentials: values.shared_credentials,
});

export const android: Platform<AndroidApp, AndroidValues> = {
  titleOfNew: 'apps.newAndroid',
  valuesOf: (app) => ({
    name: app?.name ?? '',
    package_name: app?.package_name ?? '',
    sha_fingerprints: app?.sha_fingerprints.join('\n') ?? '',
    paths: app?.paths ?? [],
    shared_credentials: app?.shared_credentials ?? false,
  }),
  labels: {
    name: 'apps.name',
    package_name: 'apps.packageName',
    sha_fingerprints: 'apps.fingerprints',
    paths: 'apps.paths',
    shared_credentials: 'apps.sharedCredentials',
  },
  rules: {
    package_name: ['malformed_package_name'],
    sha_fingerprints: ['no_fingerprints', 'malformed_fingerprint'],
    paths: ['malformed_paths', 'link_outside_paths', 'link_in_other_paths'],
  },
  fields: (inputOf, t) => (
    <>
      <TextInput {...inputOf('package_name')} placeholder="com.example.shop" required />
      <Textarea
        {...inputOf('sha_fingerprints')}
        description={t('apps.fingerprintsHint')}
        autosize
        minRows={3}
        spellCheck={false}
        required
      />
    </>
  ),
  read: (projectId, appId) =>
    versionOf(api.GET('/projects/{projectId}/android-apps/{appId}', { params: { path: { projectId, appId } } })),
  create: (projectId, values, key) =>
    answerOf(
      api.POST('/projects/{projectId}/android-apps', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: withoutNull(bodyOf(values)),
      }),
    ),
  update: (projectId, appId, values, etag) =>
    answerOf(
      api.PUT('/projects/{projectId}/android-apps/{appId}', {
        params: { path: { projectId, appId }, header: { 'If-Match': etag } },
        body: bodyOf(values),
      }),
    ),
  remove: (projectId, appId) =>
    answerOf(api.DELETE('/projects/{projectId}/android-apps/{appId}', { params: { path: { projectId, appId } } })),
};
