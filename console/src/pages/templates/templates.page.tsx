import { Modal, Paper, Stack, Text } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { LinkTemplate } from 'signpost-client';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { linkTemplatesQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { closing } from '../../components/closing';
import { Confirm, type Confirmation } from '../../components/confirm';
import { EmptyState } from '../../components/empty-state';
import { IconPlus, IconTags } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { RowTable } from '../../components/row-table';
import { useAskToClose } from '../../components/use-ask-to-close';
import { useI18n } from '../../i18n/i18n';
import { TemplateForm, templateMutation } from './template-form';

/** Lists the templates of a project: parameters and rules that many links have. */
export function TemplatesPage() {
  const { t, counted } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/templates' });
  const client = useQueryClient();
  const templates = useQuery(linkTemplatesQuery(projectId));
  const [edited, setEdited] = useState<LinkTemplate | 'new' | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const askToClose = useAskToClose(() => setEdited(null));
  const isSaving = useIsMutating({ mutationKey: templateMutation }) > 0;
  const reload = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: linkTemplatesQuery(projectId).queryKey });
    await client.invalidateQueries({ queryKey: ['project', projectId, 'explain'] });
  };
  const remove = ({ id, name }: LinkTemplate): void =>
    setConfirmation({
      title: t('templates.deleteTitle', { name }),
      text: t('templates.deleteText'),
      action: t('links.delete'),
      run: async () => {
        const path = { projectId, templateId: id };
        await answerOf(api.DELETE('/projects/{projectId}/link-templates/{templateId}', { params: { path } }));
        await reload();
      },
    });
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.templates')} lead={t('templates.lead')}>
        <ActionButton
          operation="createLinkTemplate"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {t('templates.create')}
        </ActionButton>
      </PageHead>
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      <Modal
        opened={edited !== null}
        onClose={askToClose}
        title={edited === 'new' ? t('templates.create') : edited?.name}
        size="lg"
        {...closing(isSaving)}
      >
        {edited !== null && (
          <TemplateForm
            projectId={projectId}
            templateId={edited === 'new' ? null : edited.id}
            onSaved={() => {
              setEdited(null);
              void reload();
            }}
          />
        )}
      </Modal>
      <QueryView query={templates}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={IconTags} title={t('templates.emptyTitle')} text={t('templates.emptyText')} />
          ) : (
            <Paper className="card">
              <RowTable
                label={t('nav.templates')}
                heads={[t('templates.name'), t('link.parameters'), t('link.rules')]}
                rows={all.map((template) => ({
                  key: template.id,
                  cells: [
                    <Text fw={600} className="break">
                      {template.name}
                    </Text>,
                    <span className="mono">
                      {Object.entries(template.referrer_params ?? {})
                        .map(([name, value]) => `${name}=${value}`)
                        .join(' ')}
                    </span>,
                    counted('templates.rules', template.rules?.length ?? 0),
                  ],
                  actions: (
                    <>
                      <ActionButton
                        operation="updateLinkTemplate"
                        size="xs"
                        variant="default"
                        onClick={() => setEdited(template)}
                      >
                        {t('templates.edit')}
                      </ActionButton>
                      <ActionButton
                        operation="deleteLinkTemplate"
                        size="xs"
                        variant="default"
                        onClick={() => remove(template)}
                      >
                        {t('links.delete')}
                      </ActionButton>
                    </>
                  ),
                }))}
              />
            </Paper>
          )
        }
      </QueryView>
    </Stack>
  );
}
