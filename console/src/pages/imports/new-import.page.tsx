import { Paper, Radio, Stack } from '@mantine/core';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { importQuery } from '../../api/import-queries';
import { PageHead } from '../../components/page-head';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { ApiImport } from './api-import';
import { apiSourceNames, isApiSource } from './api-sources';
import { FileImport } from './file-import';
import { newImportSearch } from './import-search';
import { heldForm } from './held-form';
import {
  defaultRules,
  type ImportMethod,
  importMethods,
  type ImportRules,
  rulesOf,
  type Source,
  sources,
} from './import-sources';
import { useSourceName } from './use-source-name';

/** Begins an import by a file or by an API. */
export function NewImportPage() {
  const { t, locale } = useI18n();
  const sourceName = useSourceName();
  const { projectId } = useParams({ from: '/projects/$projectId/imports/new' });
  const { api, from } = useAddressState(newImportSearch);
  const client = useQueryClient();
  const held = heldForm(from);
  // After a reload, the file is gone, and the import may have to be read again. Then the form is empty.
  const job = from === undefined ? undefined : client.getQueryData(importQuery(projectId, from).queryKey);
  const [method, setMethod] = useState<ImportMethod>(api === undefined ? 'file' : 'api');
  const [source, setSource] = useState<Source>(
    api ?? held?.source ?? sources.find((one) => one === job?.source) ?? 'firebase-dynamic-links',
  );
  const [rules, setRules] = useState<ImportRules>(held?.rules ?? (job ? rulesOf(job) : defaultRules));
  const mutationKey = ['new-import', projectId];
  const isSending = useIsMutating({ mutationKey }) > 0;
  const shared = { projectId, rules, onRules: setRules, onSource: setSource, mutationKey, from };
  const systems = new Intl.ListFormat(locale).format(apiSourceNames.map(sourceName));
  return (
    <Stack gap="lg" maw={960}>
      <PageHead title={t('imports.new')} lead={t('imports.newLead')} />
      <Paper className="card" p="lg">
        <Radio.Group label={t('imports.method')} value={method} onChange={setMethod}>
          <Stack gap="sm" mt="sm">
            {importMethods.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t(`imports.method.${one}`)}
                description={t(`imports.method.${one}.hint`, { systems })}
                disabled={isSending}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Paper>
      {method === 'file' ? (
        <FileImport {...shared} source={source} />
      ) : (
        <ApiImport {...shared} source={isApiSource(source) ? source : 'bitly'} />
      )}
    </Stack>
  );
}
