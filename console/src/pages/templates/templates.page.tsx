import { Group, Modal, Stack, Table, Text } from '@mantine/core';
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
            <div className="card scroll-x" role="region" aria-label={t('nav.templates')} tabIndex={0}>
              <Table verticalSpacing="sm" horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('templates.name')}</Table.Th>
                    <Table.Th>{t('link.parameters')}</Table.Th>
                    <Table.Th>{t('link.rules')}</Table.Th>
                    <Table.Th>
                      <span className="visually-hidden">{t('table.actions')}</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {all.map((template) => (
                    <Table.Tr key={template.id}>
                      <Table.Td>
                        <Text fw={600} className="break">
                          {template.name}
                        </Text>
                      </Table.Td>
                      <Table.Td className="mono break">
                        {Object.entries(template.referrer_params ?? {})
                          .map(([name, value]) => `${name}=${value}`)
                          .join(' ')}
                      </Table.Td>
                      <Table.Td>{counted('templates.rules', template.rules?.length ?? 0)}</Table.Td>
                      <Table.Td>
                        <Group gap="xs" wrap="nowrap" justify="flex-end">
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
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )
        }
      </QueryView>
    </Stack>
  );
}
