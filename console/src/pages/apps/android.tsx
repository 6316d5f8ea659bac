import { Fieldset, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { AndroidApp } from 'signpost-client';
import { answerOf, api, versionOf } from '../../api/client';
import { type AppValues, pathsOf, type Platform, withoutNull } from './platform';
import { fingerprintsIn } from './stored-app';

/** Stores beside Google Play. */
const stores = ['appgallery', 'amazon', 'samsung'] as const;

interface AndroidValues extends AppValues {
  package_name: string;
  /** One fingerprint per line. */
  sha_fingerprints: string;
  android_stores: Record<(typeof stores)[number], string>;
}

/** Returns null if the app is in Google Play only. */
function storesOf({ android_stores: ids }: AndroidValues): Partial<AndroidValues['android_stores']> | null {
  const present = stores.map((store) => [store, ids[store].trim()] as const).filter(([, id]) => id !== '');
  return present.length > 0 ? Object.fromEntries(present) : null;
}

const bodyOf = (values: AndroidValues) => ({
  name: values.name.trim(),
  package_name: values.package_name.trim(),
  sha_fingerprints: fingerprintsIn(values.sha_fingerprints),
  android_stores: storesOf(values),
  paths: pathsOf(values),
  shared_credentials: values.shared_credentials,
});

export const android: Platform<AndroidApp, AndroidValues> = {
  name: 'android',
  titleOfNew: 'apps.newAndroid',
  valuesOf: (app) => ({
    name: app?.name ?? '',
    package_name: app?.package_name ?? '',
    sha_fingerprints: app?.sha_fingerprints.join('\n') ?? '',
    android_stores: { appgallery: '', amazon: '', samsung: '', ...app?.android_stores },
    paths: app?.paths ?? [],
    shared_credentials: app?.shared_credentials ?? false,
  }),
  labels: {
    name: 'apps.name',
    package_name: 'apps.packageName',
    sha_fingerprints: 'apps.fingerprints',
    android_stores: 'apps.androidStores',
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
      <Fieldset legend={t('apps.androidStores')}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('apps.androidStoresHint')}
          </Text>
          {stores.map((store) => (
            <TextInput key={store} {...inputOf(`android_stores.${store}`, `apps.store.${store}`)} />
          ))}
        </Stack>
      </Fieldset>
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
