import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import type { DynamicLinkWithApps } from 'signpost-client';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { answerOf, api, versionOf } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { type ExplainedLink, linkQuery } from '../../api/queries';
import { FormError } from '../../components/form-error';
import { useI18n } from '../../i18n/i18n';
import { LinkConflict } from './link-conflict';
import { LinkFields } from './link-form';
import { changedFields, changesOf, linkFields, type LinkValues, unsavedChanges, valuesOf } from './link-values';
import { SocialCard } from './social-card';
import { previewDelayMs, VisitPreview } from './visit-preview';

interface Base {
  values: LinkValues;
  etag: string;
}

/** A change, with the values that it replaces if it can be undone. */
interface Change extends Base {
  replaced: LinkValues | null;
}

/** WCAG 2.2.1 asks for at least 20 seconds. */
const undoTimeMs = 20_000;

/** Edits a link. A change of somebody else in the meantime is shown instead of overwritten. */
export function LinkEditor({ projectId, link, etag }: { projectId: string; link: DynamicLinkWithApps; etag: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const path = { projectId, linkId: link.id };
  const [base, setBase] = useState<Base>(() => ({ values: valuesOf(link), etag }));
  const [theirs, setTheirs] = useState<Base | null>(null);
  const form = useForm<LinkValues>({ initialValues: base.values });
  const isDirty = changedFields(base.values, form.values).length > 0;
  const [settled] = useDebouncedValue(form.values, previewDelayMs);
  const explained = useMemo<ExplainedLink>(
    () => ({ linkId: link.id, body: isDirty ? unsavedChanges(base.values, settled) : null }),
    [link.id, base, isDirty, settled],
  );
  const savedNotice = `saved ${link.id}`;
  // A later change would be lost by an undo.
  useEffect(() => {
    if (isDirty) notifications.hide(savedNotice);
  }, [isDirty, savedNotice]);
  useEffect(() => () => void notifications.hide(savedNotice), [savedNotice]);
  useBlocker({
    shouldBlockFn: () => isDirty && !window.confirm(t('form.leave')),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
  });

  const showSaved = (onUndo: () => void, replaced: LinkValues): void => {
    const undo = (): void => {
      form.setValues(replaced);
      onUndo();
    };
    notifications.show({
      id: savedNotice,
      autoClose: undoTimeMs,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{t('form.saved')}</span>
          <Button size="compact-sm" variant="default" onClick={undo}>
            {t('form.undo')}
          </Button>
        </Group>
      ),
    });
  };

  const read = () => versionOf(api.GET('/projects/{projectId}/links/{linkId}', { params: { path } }));
  const save = useMutation({
    mutationFn: async ({ values, etag: version }: Change) => {
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
    onSuccess: (saved, { replaced }) => {
      const values = valuesOf(saved.value);
      setBase({ values, etag: saved.etag });
      form.setValues(values);
      client.setQueryData(linkQuery(projectId, link.id).queryKey, saved);
      void client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
      // The preview asks again by itself, because its changes are saved now.
      void client.invalidateQueries({ queryKey: ['project', projectId, 'explain', link.id], refetchType: 'none' });
      if (replaced === null) notifications.show({ message: t('form.undone') });
      else showSaved(() => save.mutate({ values: replaced, etag: saved.etag, replaced: null }), replaced);
    },
  });

  const overwrite = (): void => {
    if (theirs) save.mutate({ values: form.values, etag: theirs.etag, replaced: theirs.values });
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
    <form
      onSubmit={form.onSubmit((values) => save.mutate({ values, etag: base.etag, replaced: base.values }))}
      noValidate
    >
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
            <VisitPreview projectId={projectId} link={explained} onChecked={form.setErrors} />
            <SocialCard values={form.values} host={new URL(link.full_url).host} />
          </Stack>
        </SimpleGrid>
      </Stack>
    </form>
  );
}
