import { Group, Paper, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorsAtFields } from '../../api/errors-at-fields';
import { createImportFromApi, discardDryRun } from '../../api/import-queries';
import { ActionButton } from '../../components/action-button';
import { FormError } from '../../components/form-error';
import { PendingFields } from '../../components/pending-fields';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { useI18n } from '../../i18n/i18n';
import { ApiFields } from './api-fields';
import { apiBody, type ApiFault, apiFaults, type ApiField, apiFields, type ApiValues } from './api-request';
import { type ApiSource, apiSourceNames } from './api-sources';
import { ImportForm, type NewImport } from './import-form';
import { ImportRulesFields } from './import-rules-fields';
import { SourceField } from './source-field';
import { useShowImport } from './use-show-import';

/** Lets the service read the list of another system for a dry run. */
export function ApiImport({ projectId, source, onSource, rules, onRules, mutationKey, from }: NewImport<ApiSource>) {
  const i18n = useI18n();
  const { t } = i18n;
  const { abortOnUnmount, show } = useShowImport(projectId);
  const [isTyped, setTyped] = useState(false);
  const [faults, setFaults] = useState<ReadonlyMap<ApiField, ApiFault>>(new Map());
  // The token is in its field alone. States and variables of mutations stay in memory after the page is left.
  const inputs = useRef(new Map<ApiField, HTMLInputElement>());
  const values = (): ApiValues => Object.fromEntries([...inputs.current].map(([field, { value }]) => [field, value]));

  const create = useMutation({
    mutationKey,
    mutationFn: async () => {
      if (from !== undefined) await discardDryRun(projectId, from);
      return createImportFromApi(projectId, apiBody(source, values(), rules));
    },
    // A request whose answer is lost may have created the import.
    retry: false,
    onMutate: abortOnUnmount,
    onSuccess: (job, _, left) => show(job, left),
  });
  // The page can be left at once after the fields are sent.
  useUnsavedChanges(isTyped && !create.isPending);
  const fields = apiFields(source);
  const refusals = errorsAtFields(create.error, i18n);
  const errors = Object.fromEntries(
    fields.map((field) => {
      const fault = faults.get(field);
      return [field, fault === undefined ? refusals[field] : t(`imports.api.fault.${fault}`)];
    }),
  );

  const choose = (chosen: ApiSource): void => {
    create.reset();
    setFaults(new Map());
    setTyped(false);
    onSource(chosen);
  };
  const onType = (field: ApiField): void => {
    if (create.isError) create.reset();
    setTyped(Object.values(values()).some((text) => text !== ''));
    setFaults((before) => new Map([...before].filter(([one]) => one !== field)));
  };
  const submit = (): void => {
    const faults = apiFaults(source, values());
    setFaults(faults);
    if (faults.size === 0 && !create.isPending) create.mutate();
  };

  return (
    <ImportForm onSubmit={submit}>
      <Paper className="card" p="lg">
        <Stack>
          <SourceField sources={apiSourceNames} source={source} isDisabled={create.isPending} onChange={choose} />
          {/* The key empties the fields, so that no system gets the token of another one. */}
          <ApiFields
            key={source}
            source={source}
            errors={errors}
            isDisabled={create.isPending}
            inputs={inputs}
            onType={onType}
          />
        </Stack>
      </Paper>
      <PendingFields isPending={create.isPending}>
        <ImportRulesFields source={source} rules={rules} onChange={onRules} />
      </PendingFields>
      <FormError error={create.error} fields={fields} title={t('imports.api.failed')} />
      <Group justify="flex-end">
        <ActionButton operation="createImportFromApi" type="submit" loading={create.isPending}>
          {t('imports.api.submit')}
        </ActionButton>
      </Group>
    </ImportForm>
  );
}
