import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { AndroidApp } from 'signpost-client';
import { answerOf, api, versionOf } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { useI18n } from '../../i18n/i18n';
import { AppDrawer, type AssociationProblem } from './app-drawer';
import { fieldProblem } from './field-problem';

const fields = ['name', 'package_name', 'sha_fingerprints', 'paths', 'shared_credentials'];

const valuesOf = (app: AndroidApp | null) => ({
  name: app?.name ?? '',
  package_name: app?.package_name ?? '',
  /** One fingerprint per line. */
  sha_fingerprints: app?.sha_fingerprints.join('\n') ?? '',
  paths: app?.paths ?? [],
  shared_credentials: app?.shared_credentials ?? false,
});

export function AndroidAppEditor({
  projectId,
  app,
  problems,
  onClose,
}: {
  projectId: string;
  app: AndroidApp | null;
  problems: AssociationProblem[];
  onClose: () => void;
}) {
  const { t } = useI18n();
  const form = useForm({ initialValues: valuesOf(app) });
  const path = { projectId, appId: app?.id ?? '' };
  // The version is that of the moment the form opens.
  const opened = useQuery({
    queryKey: ['project', projectId, 'android-app', app?.id],
    queryFn: () => versionOf(api.GET('/projects/{projectId}/android-apps/{appId}', { params: { path } })),
    enabled: app !== null,
    gcTime: 0,
  });
  const etag = opened.data?.etag;

  const save = (values: typeof form.values, key: string): Promise<unknown> => {
    const required = {
      name: values.name.trim(),
      package_name: values.package_name.trim(),
      sha_fingerprints: values.sha_fingerprints.split(/[\s,]+/).filter(Boolean),
      shared_credentials: values.shared_credentials,
    };
    const paths = values.paths.length > 0 ? values.paths : null;
    if (app !== null)
      return answerOf(
        api.PUT('/projects/{projectId}/android-apps/{appId}', {
          params: { path, header: { 'If-Match': etag } },
          body: { ...required, paths },
        }),
      );
    return answerOf(
      api.POST('/projects/{projectId}/android-apps', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: { ...required, ...(paths !== null && { paths }) },
      }),
    );
  };
  // The service names a fingerprint by its place.
  const fingerprintError = Object.entries(form.errors).find(([name]) => name.startsWith('sha_fingerprints'))?.[1];

  return (
    <AppDrawer
      projectId={projectId}
      title={app?.name ?? t('apps.newAndroid')}
      isNew={app === null}
      problems={problems}
      fields={fields}
      save={save}
      remove={app && (() => answerOf(api.DELETE('/projects/{projectId}/android-apps/{appId}', { params: { path } })))}
      onSubmit={(handle) => form.onSubmit(handle)}
      onError={(error) => form.setErrors(errorsAtFields(error))}
      onClose={onClose}
    >
      <TextInput {...form.getInputProps('name')} label={t('apps.name')} required data-autofocus />
      <TextInput
        {...form.getInputProps('package_name')}
        label={t('apps.packageName')}
        placeholder="com.example.shop"
        error={form.errors['package_name'] ?? fieldProblem(problems, 'malformed_package_name')}
        required
      />
      <Textarea
        {...form.getInputProps('sha_fingerprints')}
        label={t('apps.fingerprints')}
        description={t('apps.fingerprintsHint')}
        error={fingerprintError ?? fieldProblem(problems, 'no_fingerprints', 'malformed_fingerprint')}
        autosize
        minRows={3}
        spellCheck={false}
        required
      />
      <TagsInput
        {...form.getInputProps('paths')}
        label={t('apps.paths')}
        description={t('apps.pathsHint')}
        error={
          form.errors['paths'] ?? fieldProblem(problems, 'malformed_paths', 'link_outside_paths', 'link_in_other_paths')
        }
      />
      <Switch {...form.getInputProps('shared_credentials', { type: 'checkbox' })} label={t('apps.sharedCredentials')} />
    </AppDrawer>
  );
}
