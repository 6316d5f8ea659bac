import { Group, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { projectQuery } from '../../api/queries';
import { showError } from '../../components/show-error';
import { useI18n } from '../../i18n/i18n';
import type { Parameter } from '../link/utm-parameters';
import { readTemplate, writeTemplate } from '../link/utm-template';

const maxNameLength = 60;

/** Fills UTM values from a template of the project, and keeps the current ones as a template for the team. */
export function UtmTemplates({
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
  const project = useQuery(projectQuery(projectId)).data;
  const templates = (project?.value.utm_templates ?? []).map(readTemplate);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const keep = useMutation({
    mutationFn: (next: string[]) =>
      answerOf(
        api.PUT('/projects/{projectId}', {
          params: { path: { projectId }, header: { 'If-Match': project!.etag } },
          body: { utm_templates: next },
        }),
      ),
    onSuccess: () => setName(''),
    onError: (error) => showError(t('form.notSaved'), error),
    onSettled: () => client.invalidateQueries({ queryKey: projectQuery(projectId).queryKey, exact: true }),
  });
  const others = (without: string): string[] =>
    templates.filter((template) => template.name !== without).map(writeTemplate);
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('campaign.template')}
        placeholder={t(templates.length === 0 ? 'campaign.noTemplate' : 'campaign.chooseTemplate')}
        data={templates.map((template) => template.name)}
        value={chosen}
        onChange={(value) => {
          setChosen(value);
          const template = templates.find((one) => one.name === value);
          if (template) onChoose(template.parameters);
        }}
        w={220}
      />
      {chosen !== null && (
        <ActionButton
          operation="updateProject"
          variant="subtle"
          onClick={() => {
            setChosen(null);
            keep.mutate(others(chosen));
          }}
        >
          {t('campaign.removeTemplate')}
        </ActionButton>
      )}
      <TextInput
        label={t('campaign.templateName')}
        value={name}
        maxLength={maxNameLength}
        onChange={(event) => setName(event.currentTarget.value)}
        w={220}
      />
      <ActionButton
        operation="updateProject"
        variant="default"
        disabled={name.trim() === '' || current.length === 0 || !project}
        loading={keep.isPending}
        onClick={() => keep.mutate([...others(name.trim()), writeTemplate({ name, parameters: current })])}
      >
        {t('campaign.saveTemplate')}
      </ActionButton>
    </Group>
  );
}
