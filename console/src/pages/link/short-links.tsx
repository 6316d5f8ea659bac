import { ActionIcon, Alert, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ShortLink } from 'signpost-client';
import { useState } from 'react';
import { useRefusals } from '../../session/use-refusal';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { shortLinksQuery } from '../../api/queries';
import { retryDownload } from '../../api/retries';
import { ActionButton } from '../../components/action-button';
import { Confirm, type Confirmation } from '../../components/confirm';
import { Copyable } from '../../components/copyable';
import { EmptyState } from '../../components/empty-state';
import { FormError } from '../../components/form-error';
import { IconLink, IconQrcode, IconTrash } from '../../components/icons';
import { PagedTable } from '../../components/paged-table';
import { useCreationKey } from '../../components/use-creation-key';
import { useI18n } from '../../i18n/i18n';
import { saveFile } from './save-file';

/** Lists the short links of a link, which are second names with separate counts. */
export default function ShortLinks({ projectId, linkId }: { projectId: string; linkId: string }) {
  const { t, date } = useI18n();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const refusals = useRefusals();
  const shortLinks = useQuery(shortLinksQuery(projectId, linkId, page));
  const reload = () => client.invalidateQueries({ queryKey: ['project', projectId, 'short-links', linkId] });
  const code = useMutation({
    retry: retryDownload,
    mutationFn: async ({ id, slug }: ShortLink) => {
      const path = { projectId, shortLinkId: id };
      const image = await answerOf(
        api.GET('/projects/{projectId}/short-links/{shortLinkId}/qr-code', { params: { path }, parseAs: 'blob' }),
      );
      saveFile(image, `qr-${slug}.png`);
    },
  });
  const remove = ({ id, slug }: ShortLink): void =>
    setConfirmation({
      title: t('shortLinks.deleteTitle', { slug }),
      text: t('shortLinks.deleteText'),
      action: t('links.delete'),
      run: async () => {
        const path = { projectId, shortLinkId: id };
        await answerOf(api.DELETE('/projects/{projectId}/short-links/{shortLinkId}', { params: { path } }));
        await reload();
      },
    });

  return (
    <Stack>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <NewShortLink projectId={projectId} linkId={linkId} onCreated={reload} />
      {code.error && <FormError error={code.error} fields={[]} />}
      <PagedTable
        query={shortLinks}
        label={t('link.tab.short-links')}
        heads={[t('shortLinks.url'), t('shortLinks.source'), t('links.created')]}
        empty={<EmptyState icon={IconLink} title={t('shortLinks.emptyTitle')} text={t('shortLinks.emptyText')} />}
        onPage={setPage}
        rowOf={(shortLink) => ({
          cells: [
            <Copyable value={shortLink.short_url} name={shortLink.short_url} />,
            t(shortLink.source === 'dashboard' ? 'shortLinks.byPerson' : 'shortLinks.byApi'),
            <Text size="sm" c="dimmed">
              {date(shortLink.created_at)}
            </Text>,
          ],
          actions: (
            <>
              <ActionIcon
                variant="subtle"
                onClick={() => code.mutate(shortLink)}
                aria-label={t('shortLinks.qr', { slug: shortLink.slug })}
              >
                <IconQrcode size={18} aria-hidden />
              </ActionIcon>
              {refusals('deleteShortLink') === null && (
                <ActionIcon
                  variant="subtle"
                  onClick={() => remove(shortLink)}
                  aria-label={t('shortLinks.delete', { slug: shortLink.slug })}
                >
                  <IconTrash size={18} aria-hidden />
                </ActionIcon>
              )}
            </>
          ),
        })}
      />
    </Stack>
  );
}

function NewShortLink({
  projectId,
  linkId,
  onCreated,
}: {
  projectId: string;
  linkId: string;
  onCreated: () => Promise<unknown>;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const form = useForm({ initialValues: { slug: '' } });
  const creationKey = useCreationKey();
  const create = useMutation({
    mutationFn: ({ slug, key }: { slug: string; key: string }) =>
      answerOf(
        api.POST('/projects/{projectId}/short-links', {
          params: { path: { projectId }, header: { 'Idempotency-Key': key } },
          body: { dynamic_link_id: linkId, ...(slug !== '' && { slug }) },
        }),
      ),
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: async (_, { slug }) => {
      creationKey.forget();
      // Another one may have been typed meanwhile.
      if (form.getValues().slug.trim() === slug) form.reset();
      await onCreated();
    },
  });
  const submit = (slug: string): void => create.mutate({ slug, key: creationKey.of(slug) });
  return (
    <form onSubmit={form.onSubmit((values) => submit(values.slug.trim()))}>
      <Stack gap="sm">
        <Group align="flex-end">
          <TextInput
            {...form.getInputProps('slug')}
            label={t('shortLinks.slug')}
            description={t('shortLinks.slugHint')}
            flex="1 1 14rem"
            maw={360}
          />
          <ActionButton operation="createShortLink" type="submit" loading={create.isPending}>
            {t('shortLinks.create')}
          </ActionButton>
        </Group>
        {create.error instanceof ApiError && create.error.code === 'FORBIDDEN_PLAN' ? (
          <Alert color="yellow">{t('shortLinks.needsPro')}</Alert>
        ) : (
          <FormError error={create.error} fields={['slug']} />
        )}
      </Stack>
    </form>
  );
}
