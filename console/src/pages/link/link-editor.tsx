import { Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { DynamicLinkWithApps } from 'signpost-client';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { PermittedFields } from '../../components/permitted-fields';
import { answerOf, api, versionOf } from '../../api/client';
import { type ExplainedLink, linkQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { FormError } from '../../components/form-error';
import { useLostInput } from '../../components/use-lost-input';
import { useVersionedForm } from '../../components/use-versioned-form';
import { useI18n } from '../../i18n/i18n';
import { LinkConflict } from './link-conflict';
import { LinkFields } from './link-form';
import {
  changesOf,
  isSavedAs,
  isUndoable,
  linkFields,
  type LinkValues,
  unsavedChanges,
  valuesOf,
  withTag,
} from './link-values';
import { lostInput } from './lost-input';
import { SocialCard } from './social-card';
import { previewDelayMs, VisitPreview } from './visit-preview';

const RuleSimulation = lazy(() => import('../../rules/rule-simulation'));

/** WCAG 2.2.1 asks for at least 20 seconds. */
const undoTimeMs = 20_000;

/** Edits a link. A change of somebody else in the meantime is shown instead of overwritten. */
export function LinkEditor({ projectId, link, etag }: { projectId: string; link: DynamicLinkWithApps; etag: string }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const path = { projectId, linkId: link.id };
  const linkKey = linkQuery(projectId, link.id).queryKey;
  const [typedTag, setTypedTag] = useState('');
  const { form, base, isDirty, submit, undo, isSaving, error, conflict } = useVersionedForm<LinkValues>({
    opened: { values: valuesOf(link), etag },
    read: async () => {
      const current = await versionOf(api.GET('/projects/{projectId}/links/{linkId}', { params: { path } }));
      client.setQueryData(linkKey, current);
      return { values: valuesOf(current.value), etag: current.etag };
    },
    save: async ({ values, etag: version, replaced }) => {
      // The answer to an earlier read would overwrite the saved link.
      await client.cancelQueries({ queryKey: linkKey });
      await answerOf(
        api.PUT('/projects/{projectId}/links/{linkId}', {
          params: { path, header: { 'If-Match': version } },
          // A field that is sent again is checked again, and its scheme may not be allowed any more.
          body: (replaced && unsavedChanges(replaced, values)) ?? changesOf(values),
        }),
      );
    },
    isSame: isSavedAs,
    onSaved: (saved) => {
      refresh('none');
      if (saved.replaced === null) notifications.show({ message: t('form.undone') });
      // An undo would take away what was typed meanwhile, or leave out a password.
      else if (saved.isDirty || !isUndoable(saved.replaced, saved.sent))
        notifications.show({ message: t('form.saved') });
      else showSaved(saved.replaced, saved.etag);
    },
    onFollowed: () => refresh('active'),
    isTyping: typedTag.trim() !== '',
  });
  /** Reads again what shows the link. The preview asks by itself after a save, because its changes are saved then. */
  function refresh(previews: 'none' | 'active'): void {
    void client.invalidateQueries({ queryKey: ['project', projectId, 'links'] });
    void client.invalidateQueries({ queryKey: ['project', projectId, 'explain', link.id], refetchType: previews });
  }
  const { mark, unlessLost } = useLostInput(form, (values) => lostInput(values, base.values));
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
  function showSaved(replaced: LinkValues, version: string): void {
    notifications.show({
      id: savedNotice,
      autoClose: undoTimeMs,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <span>{t('form.saved')}</span>
          <Button size="compact-sm" variant="default" onClick={() => undo(replaced, version)}>
            {t('form.undo')}
          </Button>
        </Group>
      ),
    });
  }

  function send(values: LinkValues): void {
    const complete = withTag(values, typedTag);
    form.setFieldValue('tags', complete.tags);
    setTypedTag('');
    unlessLost(() => submit(complete));
  }

  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack>
          <PermittedFields operation="updateDynamicLink">
            <LinkFields
              projectId={projectId}
              form={form}
              host={new URL(link.full_url).host}
              stored={base.values}
              tagText={[typedTag, setTypedTag]}
            />
          </PermittedFields>
          {/* The alert is beside the button, because the beginning of the form may be outside the window. */}
          <div className="card save-bar" data-changed={isDirty || error !== null}>
            {conflict ? (
              <LinkConflict
                projectId={projectId}
                conflict={{ ...conflict, onOverwrite: () => unlessLost(conflict.onOverwrite) }}
              />
            ) : (
              <FormError error={error} fields={linkFields} />
            )}
            <Group justify="flex-end">
              {isDirty && (
                <Text size="sm" c="dimmed" role="status">
                  {t('form.unsaved')}
                </Text>
              )}
              <ActionButton operation="updateDynamicLink" type="submit" loading={isSaving} disabled={!isDirty}>
                {t('form.save')}
              </ActionButton>
            </Group>
          </div>
        </Stack>
        <Stack>
          <VisitPreview projectId={projectId} link={explained} onChecked={mark} />
          {(settled.rules.length > 0 || settled.template !== null) && (
            <Suspense fallback={<Skeleton height={300} radius="lg" />}>
              <RuleSimulation projectId={projectId} linkId={link.id} rules={settled.rules} changes={explained.body} />
            </Suspense>
          )}
          <SocialCard values={form.values} host={new URL(link.full_url).host} />
        </Stack>
      </SimpleGrid>
    </form>
  );
}
