import { Group, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { LinkTemplate } from 'signpost-client';
import { answerOf, api } from '../../api/client';
import { errorsAtFields } from '../../api/errors-at-fields';
import { ActionButton } from '../../components/action-button';
import { changedFields } from '../../components/changed-fields';
import { dialogMutation } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useCreationKey } from '../../components/use-creation-key';
import { useI18n } from '../../i18n/i18n';
import { PairRows } from '../../rules/pair-rows';
import { lostInRules } from '../../rules/lost-in-rules';
import RuleBuilder from '../../rules/rule-builder';
import { draftsOf, objectOf, type Pair, pairsOf, type RuleDraft, rulesOf } from '../../rules/rule-drafts';

/** Names the mutation for the dialogs around the form. */
export const templateMutation = ['saved-template'];

interface Values {
  name: string;
  referrer_params: Pair[];
  rules: RuleDraft[];
}

/** Returns the fields of a template as the API has them. Null: no parameters, or no rules. */
const fieldsOf = ({ referrer_params, rules }: Values) => ({
  referrer_params: referrer_params.length === 0 ? null : (objectOf(referrer_params) as Record<string, string>),
  rules: rules.length === 0 ? null : rulesOf(rules),
});

/** Creates a template, or changes one. Its name is constant, because links name it. */
export function TemplateForm({
  projectId,
  template,
  onSaved,
}: {
  projectId: string;
  template: LinkTemplate | null;
  onSaved: () => void;
}) {
  const i18n = useI18n();
  const { t } = i18n;
  const creationKey = useCreationKey();
  const form = useForm<Values>({
    initialValues: {
      name: template?.name ?? '',
      referrer_params: pairsOf(template?.referrer_params ?? {}),
      rules: draftsOf(template?.rules ?? []),
    },
  });
  const save = useMutation({
    mutationKey: templateMutation,
    ...dialogMutation,
    mutationFn: ({ key, ...values }: Values & { key: string }): Promise<unknown> => {
      const fields = fieldsOf(values);
      if (template === null) {
        const set = Object.entries(fields).filter(([, value]) => value !== null);
        const body = { name: values.name.trim(), ...Object.fromEntries(set) };
        const params = { path: { projectId }, header: { 'Idempotency-Key': key } };
        return answerOf(api.POST('/projects/{projectId}/link-templates', { params, body }));
      }
      // Fields that somebody else changes meanwhile stay as they are.
      const changed: string[] = changedFields(form.getInitialValues(), values);
      const body = Object.fromEntries(Object.entries(fields).filter(([field]) => changed.includes(field)));
      const params = { path: { projectId, templateId: template.id } };
      return answerOf(api.PUT('/projects/{projectId}/link-templates/{templateId}', { params, body }));
    },
    onError: (error) => form.setErrors(errorsAtFields(error, i18n)),
    onSuccess: () => {
      creationKey.forget();
      onSaved();
    },
  });
  const send = (values: Values): void => {
    const lost = Object.entries(lostInRules(values.rules, values.referrer_params));
    form.setErrors(Object.fromEntries(lost.map(([path, message]) => [path, t(message)])));
    if (lost.length === 0) save.mutate({ ...values, key: creationKey.of(values) });
  };
  return (
    <form onSubmit={form.onSubmit(send)} noValidate>
      <Stack>
        <PendingFields isPending={save.isPending}>
          {template === null && (
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
        <FormError error={save.error} fields={['name', 'referrer_params', 'rules']} />
        <Group justify="flex-end">
          <ActionButton
            operation={template === null ? 'createLinkTemplate' : 'updateLinkTemplate'}
            type="submit"
            loading={save.isPending}
          >
            {t(template === null ? 'templates.create' : 'form.save')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
