import { Group, Paper, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { customDomainsQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { EmptyState } from '../../components/empty-state';
import { FormError } from '../../components/form-error';
import { IconWorld } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useCreationKey } from '../../components/use-creation-key';
import { useI18n } from '../../i18n/i18n';
import { DomainCard } from './domain-card';
import { FormerSubdomains } from './former-subdomains';

export function DomainsPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/domains' });
  const domains = useQuery(customDomainsQuery(projectId));
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.domains')} lead={t('domains.lead')} />
      <AddDomain projectId={projectId} />
      <QueryView query={domains}>
        {({ data }) =>
          data.length === 0 ? (
            <Paper className="card">
              <EmptyState icon={IconWorld} title={t('domains.emptyTitle')} text={t('domains.emptyText')} />
            </Paper>
          ) : (
            <Stack>
              {data.map((domain) => (
                <DomainCard key={domain.id} domain={domain} />
              ))}
            </Stack>
          )
        }
      </QueryView>
      <FormerSubdomains projectId={projectId} />
    </Stack>
  );
}

function AddDomain({ projectId }: { projectId: string }) {
  const i18n = useI18n();
  const { t } = i18n;
  const client = useQueryClient();
  const form = useForm({ initialValues: { hostname: '' } });
  const creationKey = useCreationKey();
  const add = useMutation({
    mutationFn: ({ hostname, key }: { hostname: string; key: string }) =>
      answerOf(
        api.POST('/projects/{projectId}/custom-domains', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: { hostname },
        }),
      ),
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: async (_, { hostname }) => {
      creationKey.forget();
      // Another one may have been typed meanwhile.
      if (form.getValues().hostname.trim() === hostname) form.reset();
      await client.invalidateQueries({ queryKey: ['project', projectId, 'custom-domains'] });
    },
  });
  const submit = (hostname: string): void => add.mutate({ hostname, key: creationKey.of(hostname) });
  return (
    <form onSubmit={form.onSubmit((values) => submit(values.hostname.trim()))} noValidate>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            {...form.getInputProps('hostname')}
            label={t('domains.hostname')}
            placeholder="links.example.com"
            flex="1 1 14rem"
            maw={420}
            required
          />
          <ActionButton operation="createCustomDomain" type="submit" loading={add.isPending}>
            {t('domains.add')}
          </ActionButton>
        </Group>
        <FormError error={add.error} fields={['hostname']} />
      </Stack>
    </form>
  );
}
