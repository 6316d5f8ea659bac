import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { DynamicLinkWithApps } from 'signpost-client';
import { useState } from 'react';
import { ApiError } from '../../api/api-error';
import { answerOf, api, versionOf } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { linkQuery } from '../../api/queries';
import { FormError } from '../../components/form-error';
import { useI18n } from '../../i18n/i18n';
import { LinkConflict } from './link-conflict';
import { LinkFields } from './link-form';
import { changedFields, changesOf, linkFields, type LinkValues, valuesOf } from './link-values';
import { SocialCard } from './social-card';
import { VisitPreview } from './visit-preview';

interface Base {
  values: LinkValues;
  etag: string;
}

/** Edits a link. A change of somebody else in the meantime is shown instead of overwritten. */
export function LinkEditor({ projectId, link, etag }: { projectId: string; link: DynamicLinkWithApps; etag: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const path = { projectId, linkId: link.id };
  const [base, setBase] = useState<Base>(() => ({ values: valuesOf(link), etag }));
  const [theirs, setTheirs] = useState<Base | null>(null);
  const form = useForm<LinkValues>({ initialValues: base.values });
  const isDirty = changedFields(base.values, form.values).length > 0;
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(t('form.leave')),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });

  const read = () => versionOf(api.GET('/projects/{projectId}/links/{linkId}', { params: { path } }));
  const save = useMutation({
    mutationFn: async ({ values, etag: version }: Base) => {
      await answerOf(
        api.PUT('/projects/{projectId}/links/{linkId}', {
          params: { path, header: { 'If-Match': version } },
          body: changesOf(values),
        }),
      );
      return read();
    },
    onError: async (error) => {
      form.setErrors(errorsAtFields(error));
      if (!(error instanceof ApiError) || error.code !== 'PRECONDITION_FAILED') return;
      const fresh = await read();
      setTheirs({ values: valuesOf(fresh.value), etag: fresh.etag });
    },
    onSuccess: (saved) => {
      const values = valuesOf(saved.value);
      setBase({ values, etag: saved.etag });
      form.setValues(values);
      client.setQueryData(linkQuery(projectId, link.id).queryKey, saved);
      void client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
      void client.invalidateQueries({ queryKey: ['project', projectId, 'explain', link.id] });
      notifications.show({ message: t('form.saved') });
    },
  });

  const overwrite = (): void => {
    if (theirs) save.mutate({ values: form.values, etag: theirs.etag });
    setTheirs(null);
  };
  const takeTheirs = (): void => {
    if (theirs) {
      setBase(theirs);
      form.setValues(theirs.values);
      void client.invalidateQueries({ queryKey: ['project', projectId] });
    }
    setTheirs(null);
    save.reset();
  };

  return (
    <form onSubmit={form.onSubmit((values) => save.mutate({ values, etag: base.etag }))} noValidate>
      <Stack>
        {theirs ? (
          <LinkConflict
            fields={changedFields(base.values, theirs.values)}
            onOverwrite={overwrite}
            onTakeTheirs={takeTheirs}
          />
        ) : (
          <FormError error={save.error} fields={linkFields} />
        )}
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          <Stack>
            <LinkFields projectId={projectId} form={form} host={new URL(link.full_url).host} />
            <div className="card save-bar" data-changed={isDirty}>
              {isDirty && (
                <Text size="sm" c="dimmed" role="status">
                  {t('form.unsaved')}
                </Text>
              )}
              <Button type="submit" loading={save.isPending} disabled={!isDirty}>
                {t('form.save')}
              </Button>
            </div>
          </Stack>
          <Stack>
            <VisitPreview projectId={projectId} linkId={link.id} isDirty={isDirty} />
            <SocialCard values={form.values} host={new URL(link.full_url).host} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </form>
  );
}
