import { Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { linkTemplatesQuery } from '../../api/queries';
import { ButtonLink } from '../../components/router-links';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import type { Parameter } from '../link/utm-parameters';

const maxNameLength = 60;

/** Fills UTM values from a template of the project, and keeps the current ones as a template for the team. */
export function TemplateChoice({
  projectId,
  current,
  onChoose,
}: {
  projectId: string;
  /** The values that a new template gets. */
  current: Parameter[];
  onChoose: (parameters: Parameter[]) => void;
}) {
  const { t } = useI18n();
  const client = useQueryClient();
  const query = linkTemplatesQuery(projectId);
  const templates = useQuery(query).data ?? [];
  const [name, setName] = useState('');
  const keep = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        referrer_params: Object.fromEntries(current.map(({ key, value }) => [key, value])),
      };
      return answerOf(api.POST('/projects/{projectId}/link-templates', { params: { path: { projectId } }, body }));
    },
    onSuccess: () => setName(''),
    onError: (error) => showError(t('form.notSaved'), error),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  });
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('campaign.template')}
        placeholder={t(templates.length === 0 ? 'campaign.noTemplate' : 'campaign.chooseTemplate')}
        data={templates.map((template) => template.name)}
        onChange={(chosen) => {
          const params = templates.find((template) => template.name === chosen)?.referrer_params;
          if (params) onChoose(Object.entries(params).map(([key, value]) => ({ key, value })));
        }}
        w={220}
      />
      <TextInput
        label={t('campaign.templateName')}
        value={name}
        maxLength={maxNameLength}
        onChange={(event) => setName(event.currentTarget.value)}
        w={220}
      />
      <ActionButton
        operation="createLinkTemplate"
        variant="default"
        disabled={name.trim() === '' || current.length === 0}
        loading={keep.isPending}
        onClick={() => keep.mutate()}
      >
        {t('campaign.saveTemplate')}
      </ActionButton>
      <ButtonLink variant="subtle" to="/projects/$projectId/templates" params={{ projectId }}>
        {t('nav.templates')}
      </ButtonLink>
    </Group>
  );
}
