import { Group, SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { type ExplainedLink, linkQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { ButtonLink } from '../../components/router-links';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useCreationKey } from '../../components/use-creation-key';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useAddressState } from '../../components/use-address-state';
import { useLostInput } from '../../components/use-lost-input';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useI18n } from '../../i18n/i18n';
import { LinkFields } from './link-form';
import { newLinkSearch } from './link-search';
import { copyOf, emptyLink, linkFields, type LinkValues, newLinkOf, withTag } from './link-values';
import { lostInput } from './lost-input';
import { SocialCard } from './social-card';
import { previewDelayMs, VisitPreview } from './visit-preview';

const route = '/projects/$projectId/links/new';

/** Creates a link, which can begin as a copy of another one. */
export function NewLinkPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: route });
  const { copy } = useAddressState(newLinkSearch);
  const copied = useQuery({ ...linkQuery(projectId, copy ?? ''), enabled: copy !== undefined });
  if (copy === undefined) return <NewLinkForm projectId={projectId} initial={emptyLink} />;
  return (
    <QueryView query={copied} height={600} head={() => <PageHead title={t('notFound.link')} />}>
      {({ value }) => (
        <NewLinkForm projectId={projectId} initial={copyOf(value, t('link.copyName', { name: value.name }))} />
      )}
    </QueryView>
  );
}

function NewLinkForm({ projectId, initial }: { projectId: string; initial: LinkValues }) {
  const i18n = useI18n();
  const { t } = i18n;
  const client = useQueryClient();
  const navigate = useNavigate();
  const form = useForm<LinkValues>({ initialValues: initial });
  const creationKey = useCreationKey();
  const abortOnUnmount = useAbortOnUnmount();
  const [typedTag, setTypedTag] = useState('');
  useUnsavedChanges(typedTag.trim() !== '' || changedFields(form.getInitialValues(), form.values).length > 0);
  // A copy has no password yet that could stay.
  const { mark, unlessLost } = useLostInput(form, (values) => lostInput(values, emptyLink));
  const [settled] = useDebouncedValue(form.values, previewDelayMs);
  const draft = useMemo<ExplainedLink | null>(
    () => (settled.name.trim() === '' ? null : { linkId: null, body: newLinkOf(settled) }),
    [settled],
  );
  const create = useMutation({
    mutationFn: ({ values, key }: { values: LinkValues; key: string }) =>
      answerOf(
        api.POST('/projects/{projectId}/links', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: newLinkOf(values),
        }),
      ),
    onMutate: abortOnUnmount,
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: async ({ data }, _, left) => {
      creationKey.forget();
      notifications.show({ message: t('link.created', { url: data.full_url }) });
      void client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
      void client.invalidateQueries({ queryKey: ['projects'] });
      void client.invalidateQueries({ queryKey: ['account'] });
      if (left.aborted) return;
      await navigate({
        to: '/projects/$projectId/links/$linkId',
        params: { projectId, linkId: data.id },
        ignoreBlocker: true,
      });
    },
  });
  // The path of a link that is being created is soon taken, by this link. A preview would call that a fault.
  const [previewed, setPreviewed] = useState(draft);
  if (previewed !== draft && !create.isPending && !create.isSuccess) setPreviewed(draft);
  function send(typed: LinkValues): void {
    const values = withTag(typed, typedTag);
    form.setFieldValue('tags', values.tags);
    setTypedTag('');
    unlessLost(() => create.mutate({ values, key: creationKey.of(values) }));
  }
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack gap="lg">
        <PageHead title={t('links.new')} lead={t('link.newLead')} />
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <Stack>
            <PendingFields isPending={create.isPending}>
              <LinkFields
                projectId={projectId}
                form={form}
                host={null}
                stored={emptyLink}
                tagText={[typedTag, setTypedTag]}
              />
            </PendingFields>
            <div className="card save-bar" data-changed={form.isDirty() || create.error !== null}>
              <FormError error={create.error} fields={linkFields} />
              <Group justify="flex-end">
                <ButtonLink variant="default" to="/projects/$projectId/links" params={{ projectId }}>
                  {t('confirm.cancel')}
                </ButtonLink>
                <ActionButton operation="createDynamicLink" type="submit" loading={create.isPending}>
                  {t('link.create')}
                </ActionButton>
              </Group>
            </div>
          </Stack>
          <Stack>
            <VisitPreview projectId={projectId} link={previewed} onChecked={mark} />
            <SocialCard values={form.values} host="" />
          </Stack>
        </SimpleGrid>
      </Stack>
    </form>
  );
}
