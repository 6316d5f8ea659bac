import { Group, Stack, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LinkTemplate } from 'signpost-client';
import { useId } from 'react';
import { answerOf, api, versionOf } from '../../api/client';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { QueryView } from '../../components/query-view';
import { useLostInput } from '../../components/use-lost-input';
import { type Base, useVersionedForm } from '../../components/use-versioned-form';
import { VersionConflict } from '../../components/version-conflict';
import { textsOfField } from '../../i18n/field-texts';
import { useI18n } from '../../i18n/i18n';
import { lostInRules } from '../../rules/lost-in-rules';
import { PairRows } from '../../rules/pair-rows';
import { rowText } from '../../rules/row-texts';
import RuleBuilder from '../../rules/rule-builder';
import { draftsOf, type Pair, pairsOf, parametersOf, type RuleDraft, rulesOf } from '../../rules/rule-drafts';

/** Names the mutation for the dialogs around the form. */
export const templateMutation = ['saved-template'];

interface Values {
  name: string;
  referrer_params: Pair[];
  rules: RuleDraft[];
}

const valuesOf = (template: LinkTemplate | null): Values => ({
  name: template?.name ?? '',
  referrer_params: pairsOf(template?.referrer_params ?? {}),
  rules: draftsOf(template?.rules ?? []),
});

/** Returns the fields of a template as the API has them. Null: no parameters, or no rules. */
const fieldsOf = ({ referrer_params, rules }: Values) => ({
  referrer_params: parametersOf(referrer_params),
  rules: rules.length === 0 ? null : rulesOf(rules),
});

interface TemplateProps {
  projectId: string;
  /** The id of the template; null for a new one. */
  templateId: string | null;
  onSaved: () => void;
}

/** Creates a template, or changes one. It reads the version that a change names, because the list may be older. */
export function TemplateForm(props: TemplateProps) {
  const { projectId, templateId } = props;
  const read = async (): Promise<Base<Values>> => {
    if (templateId === null) return { values: valuesOf(null), etag: '' };
    const params = { path: { projectId, templateId } };
    const current = await versionOf(api.GET('/projects/{projectId}/link-templates/{templateId}', { params }));
    return { values: valuesOf(current.value), etag: current.etag };
  };
  const opened = useQuery({
    queryKey: ['opened-template', projectId, templateId, useId()],
    queryFn: read,
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <QueryView query={opened} height={240}>
      {(base) => <Fields {...props} opened={base} read={read} />}
    </QueryView>
  );
}

/** The name of a template is constant, because links name it. */
function Fields({
  projectId,
  templateId,
  onSaved,
  opened,
  read,
}: TemplateProps & { opened: Base<Values>; read: () => Promise<Base<Values>> }) {
  const { t } = useI18n();
  const { form, submit, isSaving, error, conflict } = useVersionedForm({
    opened,
    read,
    save: ({ values, etag, key, replaced }) => {
      const fields = Object.entries(fieldsOf(values));
      if (templateId === null) {
        const set = fields.filter(([, value]) => value !== null);
        const body = { name: values.name.trim(), ...Object.fromEntries(set) };
        const params = { path: { projectId }, header: { 'Idempotency-Key': key } };
        return answerOf(api.POST('/projects/{projectId}/link-templates', { params, body }));
      }
      const changed: string[] = changedFields(replaced ?? {}, values);
      const body = Object.fromEntries(fields.filter(([field]) => changed.includes(field)));
      const params = { path: { projectId, templateId }, header: { 'If-Match': etag } };
      return answerOf(api.PUT('/projects/{projectId}/link-templates/{templateId}', { params, body }));
    },
    onSaved,
    mutation: { mutationKey: templateMutation, ...dialogMutation },
  });
  const { unlessLost } = useLostInput(form, (values) => lostInRules(values.rules, values.referrer_params));
  return (
    <form onSubmit={form.onSubmit((values) => unlessLost(() => submit(values)))} noValidate>
      <Stack>
        <PendingFields isPending={isSaving}>
          {templateId === null && (
            <TextInput
              {...form.getInputProps('name')}
              label={t('templates.name')}
              description={t('templates.nameHint')}
              required
              data-autofocus
            />
          )}
          <PairRows
            label={t('link.parameters')}
            rows={form.values.referrer_params}
            path="referrer_params"
            errors={form.errors}
            onChange={(rows) => form.setFieldValue('referrer_params', rows)}
          />
          <Title order={3} size="h4">
            {t('link.rules')}
          </Title>
          <RuleBuilder
            rules={form.values.rules}
            errors={form.errors}
            onChange={(rules) => form.setFieldValue('rules', rules)}
            onMove={(from, to) => form.reorderListItem('rules', { from, to })}
            onRemove={(at) => form.removeListItem('rules', at)}
          />
        </PendingFields>
        {conflict ? (
          <VersionConflict
            {...conflict}
            onOverwrite={() => unlessLost(conflict.onOverwrite)}
            labelOf={(field) => t(textsOfField(field)!.label)}
            textOf={rowText}
          />
        ) : (
          <FormError error={error} fields={['name', 'referrer_params', 'rules']} />
        )}
        <Group justify="flex-end">
          <ActionButton
            operation={templateId === null ? 'createLinkTemplate' : 'updateLinkTemplate'}
            type="submit"
            loading={isSaving}
          >
            {t(templateId === null ? 'templates.create' : 'form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
