import {
  Alert,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Project } from 'signpost-client';
import { useState } from 'react';
import { PermittedFields } from '../../components/permitted-fields';
import { ApiError } from '../../api/api-error';
import { answerOf, api, type Versioned, versionOf } from '../../api/client';
import { projectQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { Confirm, type Confirmation } from '../../components/confirm';
import { errorAt } from '../../components/error-at';
import { ForwardingFields, forwardingLabels } from '../../components/forwarding-fields';
import { FormError } from '../../components/form-error';
import { ButtonLink } from '../../components/router-links';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useVersionedForm } from '../../components/use-versioned-form';
import { VersionConflict } from '../../components/version-conflict';
import { useI18n } from '../../i18n/i18n';
import { bodyOf, isSameSettings, type Settings } from './stored-settings';

const labels = {
  name: 'projects.name',
  subdomain: 'projects.subdomain',
  long_link_destinations: 'settings.longLinks',
  root_url: 'settings.rootUrl',
  not_found_url: 'settings.notFoundUrl',
  expired_url: 'settings.expiredUrl',
  query_forwarding: 'forwarding.title',
  forwarded_params: 'forwarding.names',
  allowed_schemes: 'settings.schemes',
  destination_hosts: 'settings.destinationHosts',
  release_guard: 'settings.releaseGuard',
  retire_releases_after_days: 'settings.retireReleases',
  retire_releases_below_percent: 'settings.retireRare',
  conversions: 'settings.conversions',
  click_id_param: 'settings.clickIdParam',
  conversion_window_days: 'settings.conversionWindow',
} as const;

const guardModes = ['warn', 'refuse', 'off'] as const;

const valuesOf = (project: Project): Settings => ({
  name: project.name,
  subdomain: project.subdomain,
  long_link_destinations: project.long_link_destinations,
  root_url: project.root_url ?? '',
  not_found_url: project.not_found_url ?? '',
  expired_url: project.expired_url ?? '',
  query_forwarding: project.query_forwarding,
  forwarded_params: project.forwarded_params,
  allowed_schemes: project.allowed_schemes,
  destination_hosts: project.destination_hosts,
  release_guard: project.release_guard,
  retire_releases_after_days: String(project.retire_releases_after_days ?? ''),
  retire_releases_below_percent: String(project.retire_releases_below_percent ?? ''),
  conversions: project.conversions,
  click_id_param: project.click_id_param,
  conversion_window_days: project.conversion_window_days,
});

export function ProjectSettingsPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/settings' });
  const project = useQuery(projectQuery(projectId));
  return (
    <Stack gap="lg" maw={720}>
      <PageHead title={t('nav.settings')} lead={t('settings.lead')} />
      <QueryView query={project} height={320}>
        {(data) => (
          <>
            <Fields key={data.value.id} project={data} />
            <Danger project={data.value} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Fields({ project: { value, etag } }: { project: Versioned<Project> }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const path = { projectId: value.id };
  const { queryKey } = projectQuery(value.id);
  const { form, base, isDirty, submit, isSaving, error, conflict } = useVersionedForm({
    opened: { values: valuesOf(value), etag },
    read: async () => {
      const current = await versionOf(api.GET('/projects/{projectId}', { params: { path } }));
      client.setQueryData(queryKey, current);
      return { values: valuesOf(current.value), etag: current.etag };
    },
    save: async ({ values, etag: version }) => {
      // The answer to an earlier read would overwrite the saved project.
      await client.cancelQueries({ queryKey, exact: true });
      await answerOf(
        api.PUT('/projects/{projectId}', { params: { path, header: { 'If-Match': version } }, body: bodyOf(values) }),
      );
    },
    isSame: isSameSettings,
    onSaved: async () => {
      notifications.show({ message: t('form.saved') });
      await client.invalidateQueries({ queryKey });
      await client.invalidateQueries({ queryKey: ['projects'] });
    },
  });
  const renames = form.values.subdomain !== base.values.subdomain;
  return (
    <Paper className="card" p="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack>
          <PermittedFields operation="updateProject">
            <TextInput {...form.getInputProps('name')} label={t(labels.name)} required />
            <TextInput
              {...form.getInputProps('subdomain')}
              label={t(labels.subdomain)}
              description={t('projects.subdomainHint')}
              required
            />
            <TagsInput
              {...form.getInputProps('long_link_destinations')}
              label={t(labels.long_link_destinations)}
              description={t('settings.longLinksHint')}
              error={errorAt(form.errors, 'long_link_destinations')}
            />
            <TextInput
              {...form.getInputProps('root_url')}
              label={t(labels.root_url)}
              description={t('settings.rootUrlHint')}
            />
            <TextInput
              {...form.getInputProps('not_found_url')}
              label={t(labels.not_found_url)}
              description={t('settings.notFoundUrlHint')}
            />
            <TextInput
              {...form.getInputProps('expired_url')}
              label={t(labels.expired_url)}
              description={t('settings.expiredUrlHint')}
            />
            <ForwardingFields
              select={form.getInputProps('query_forwarding')}
              names={form.getInputProps('forwarded_params')}
              namesError={errorAt(form.errors, 'forwarded_params')}
            />
            <TagsInput
              {...form.getInputProps('allowed_schemes')}
              label={t(labels.allowed_schemes)}
              description={t('settings.schemesHint')}
              error={errorAt(form.errors, 'allowed_schemes')}
            />
            <TagsInput
              {...form.getInputProps('destination_hosts')}
              label={t(labels.destination_hosts)}
              description={t('settings.destinationHostsHint')}
              error={errorAt(form.errors, 'destination_hosts')}
            />
            <Select
              {...form.getInputProps('release_guard')}
              label={t(labels.release_guard)}
              description={t('settings.releaseGuardHint')}
              allowDeselect={false}
              data={guardModes.map((mode) => ({ value: mode, label: t(`settings.releaseGuard.${mode}`) }))}
            />
            <TextInput
              {...form.getInputProps('retire_releases_after_days')}
              label={t(labels.retire_releases_after_days)}
              description={t('settings.retireReleasesHint')}
              inputMode="numeric"
            />
            <TextInput
              {...form.getInputProps('retire_releases_below_percent')}
              label={t(labels.retire_releases_below_percent)}
              description={t('settings.retireRareHint')}
              inputMode="numeric"
            />
            <Switch
              {...form.getInputProps('conversions', { type: 'checkbox' })}
              label={t(labels.conversions)}
              description={t('settings.conversionsHint')}
            />
            <TextInput
              {...form.getInputProps('click_id_param')}
              label={t(labels.click_id_param)}
              description={t('settings.clickIdParamHint')}
            />
            <NumberInput
              {...form.getInputProps('conversion_window_days')}
              label={t(labels.conversion_window_days)}
              description={t('settings.conversionWindowHint')}
              min={1}
              max={90}
              allowDecimal={false}
            />
          </PermittedFields>
          {renames && <Alert color="yellow">{t('settings.rename', { subdomain: base.values.subdomain })}</Alert>}
          {conflict ? (
            <VersionConflict
              {...conflict}
              labelOf={(field) => t(labels[field])}
              textOf={(field) => {
                if (field === 'release_guard') return t(`settings.releaseGuard.${conflict.theirs.release_guard}`);
                return field === 'query_forwarding' ? t(forwardingLabels[conflict.theirs.query_forwarding]) : undefined;
              }}
            />
          ) : (
            <FormError error={error} fields={Object.keys(labels)} />
          )}
          <Group justify="flex-end">
            {error instanceof ApiError && error.code === 'ACCESS_DENIED' && (
              <ButtonLink variant="default" to="/projects/$projectId/domains" params={path}>
                {t('former.title')}
              </ButtonLink>
            )}
            <ActionButton operation="updateProject" type="submit" loading={isSaving} disabled={!isDirty}>
              {t('form.save')}
            </ActionButton>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function Danger({ project }: { project: Project }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const abortOnUnmount = useAbortOnUnmount();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const remove = (): void =>
    setConfirmation({
      title: t('settings.deleteTitle', { name: project.name }),
      text: t('settings.deleteText'),
      action: t('settings.delete'),
      typed: project.subdomain,
      run: async () => {
        const left = abortOnUnmount();
        await answerOf(api.DELETE('/projects/{projectId}', { params: { path: { projectId: project.id } } }));
        if (!left.aborted) await navigate({ to: '/', ignoreBlocker: true });
        client.removeQueries({ queryKey: ['project', project.id] });
        await client.invalidateQueries({ queryKey: ['projects'] });
        await client.invalidateQueries({ queryKey: ['account'] });
      },
    });
  return (
    <Paper className="card" p="lg">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('settings.danger')}</Title>
          <Text size="sm" c="dimmed">
            {t('settings.dangerText')}
          </Text>
        </div>
        <ActionButton operation="deleteProject" variant="default" c="error" onClick={remove}>
          {t('settings.delete')}
        </ActionButton>
      </Group>
    </Paper>
  );
}
