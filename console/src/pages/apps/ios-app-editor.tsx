import { Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { IosApp } from 'signpost-client';
import { answerOf, api, versionOf } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { useI18n } from '../../i18n/i18n';
import { AppDrawer, type AssociationProblem } from './app-drawer';
import { fieldProblem } from './field-problem';

const fields = ['name', 'bundle_id', 'team_id', 'appstore_id', 'app_clip_bundle_id', 'paths', 'shared_credentials'];

const valuesOf = (app: IosApp | null) => ({
  name: app?.name ?? '',
  bundle_id: app?.bundle_id ?? '',
  team_id: app?.team_id ?? '',
  appstore_id: app?.appstore_id ?? '',
  app_clip_bundle_id: app?.app_clip_bundle_id ?? '',
  paths: app?.paths ?? [],
  shared_credentials: app?.shared_credentials ?? false,
});

export function IosAppEditor({
  projectId,
  app,
  problems,
  onClose,
}: {
  projectId: string;
  app: IosApp | null;
  problems: AssociationProblem[];
  onClose: () => void;
}) {
  const { t } = useI18n();
  const form = useForm({ initialValues: valuesOf(app) });
  const path = { projectId, appId: app?.id ?? '' };
  // The version is that of the moment the form opens.
  const opened = useQuery({
    queryKey: ['project', projectId, 'ios-app', app?.id],
    queryFn: () => versionOf(api.GET('/projects/{projectId}/ios-apps/{appId}', { params: { path } })),
    enabled: app !== null,
    gcTime: 0,
  });
  const etag = opened.data?.etag;

  const save = (values: typeof form.values, key: string): Promise<unknown> => {
    const { name, bundle_id, team_id, shared_credentials } = values;
    const appstore_id = values.appstore_id.trim() || null;
    const app_clip_bundle_id = values.app_clip_bundle_id.trim() || null;
    const paths = values.paths.length > 0 ? values.paths : null;
    const required = { name: name.trim(), bundle_id: bundle_id.trim(), team_id: team_id.trim(), shared_credentials };
    if (app !== null)
      return answerOf(
        api.PUT('/projects/{projectId}/ios-apps/{appId}', {
          params: { path, header: { 'If-Match': etag } },
          body: { ...required, appstore_id, app_clip_bundle_id, paths },
        }),
      );
    return answerOf(
      api.POST('/projects/{projectId}/ios-apps', {
        params: { path: { projectId }, header: { 'Idempotency-Key': key } },
        body: {
          ...required,
          ...(appstore_id !== null && { appstore_id }),
          ...(app_clip_bundle_id !== null && { app_clip_bundle_id }),
          ...(paths !== null && { paths }),
        },
      }),
    );
  };

  return (
    <AppDrawer
      projectId={projectId}
      title={app?.name ?? t('apps.newIos')}
      isNew={app === null}
      problems={problems}
      fields={fields}
      save={save}
      remove={app && (() => answerOf(api.DELETE('/projects/{projectId}/ios-apps/{appId}', { params: { path } })))}
      onSubmit={(handle) => form.onSubmit(handle)}
      onError={(error) => form.setErrors(errorsAtFields(error))}
      onClose={onClose}
    >
      <TextInput {...form.getInputProps('name')} label={t('apps.name')} required data-autofocus />
      <TextInput
        {...form.getInputProps('bundle_id')}
        label={t('apps.bundleId')}
        description={t('apps.bundleIdHint')}
        placeholder="com.example.shop"
        error={form.errors['bundle_id'] ?? fieldProblem(problems, 'malformed_bundle_id')}
        required
      />
      <TextInput
        {...form.getInputProps('team_id')}
        label={t('apps.teamId')}
        description={t('apps.teamIdHint')}
        placeholder="A1B2C3D4E5"
        error={form.errors['team_id'] ?? fieldProblem(problems, 'malformed_team_id')}
        required
      />
      <TextInput
        {...form.getInputProps('appstore_id')}
        label={t('apps.appStoreId')}
        description={t('apps.appStoreIdHint')}
        inputMode="numeric"
      />
      <TextInput
        {...form.getInputProps('app_clip_bundle_id')}
        label={t('apps.appClip')}
        error={form.errors['app_clip_bundle_id'] ?? fieldProblem(problems, 'app_clip_of_other_app')}
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
