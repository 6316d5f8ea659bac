import { Alert, Button, Group, Paper, Radio, Select, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { createImport, importQuery, importsQuery } from '../../api/import-queries';
import { timeZones } from '../../clicks/time-zones';
import { ErrorText } from '../../components/error-text';
import { PageHead } from '../../components/page-head';
import { useI18n } from '../../i18n/i18n';
import { type Choice, columnFaults, columnsOption, mappingFault, proposal } from './column-mapping';
import { ColumnMapping } from './column-mapping-fields';
import { csvHead } from './csv-head';
import { FileField } from './file-field';
import type { FileFault, Format, ReadableFile } from './import-file';
import { type ConflictPolicy, conflictPolicies, hasTimesWithoutZone, type Source, sources } from './import-sources';
import { UploadProgress } from './upload-progress';
import { useSourceName } from './use-source-name';

const mediaTypes: Record<Format, string> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Uploads a file for a dry run. */
export function NewImportPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/imports/new' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const sourceName = useSourceName();
  const [source, setSource] = useState<Source>('firebase-dynamic-links');
  const [file, setFile] = useState<ReadableFile | null>(null);
  const [fileFault, setFileFault] = useState<FileFault | 'missing' | null>(null);
  const [conflict, setConflict] = useState<ConflictPolicy>('skip');
  const [timeZone, setTimeZone] = useState('UTC');
  const [choices, setChoices] = useState<Choice[]>([]);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState(0);
  const upload = useRef<AbortController | null>(null);

  const head = useMemo(() => (file?.format === 'csv' ? csvHead(file.head, file.isWhole) : null), [file]);
  const isMapped = source === 'csv' && head !== null && head.repeated === null;
  const mapping = isMapped && file ? { head, fault: mappingFault(head.columns, choices) } : null;
  const fault = faultText();

  const create = useMutation({
    mutationFn: ({ file: content, format }: ReadableFile) => {
      upload.current = new AbortController();
      const options = {
        ...(hasTimesWithoutZone(source) && timeZone !== 'UTC' && { time_zone: timeZone }),
        ...(mapping && { columns: columnsOption(mapping.head.columns, choices) }),
      };
      const query = { source, conflict, options: JSON.stringify(options) };
      const body = { file: content, mediaType: mediaTypes[format] };
      return createImport(projectId, { ...query, ...body }, setSent, upload.current.signal);
    },
    // An upload whose answer is lost may have created the import.
    retry: false,
    onMutate: () => setSent(0),
    onSuccess: async (job) => {
      client.setQueryData(importQuery(projectId, job.id).queryKey, job);
      void client.invalidateQueries({ queryKey: importsQuery(projectId).queryKey, exact: true });
      await navigate({
        to: '/projects/$projectId/imports/$importId',
        params: { projectId, importId: job.id },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  const isCancelled = create.error instanceof DOMException;
  useBlocker({
    shouldBlockFn: () => {
      const stays = !window.confirm(t('imports.upload.leave'));
      if (!stays) upload.current?.abort();
      return stays;
    },
    enableBeforeUnload: create.isPending,
    disabled: !create.isPending,
  });

  function faultText(): string | null {
    if (fileFault !== null) return t(`imports.fault.${fileFault}`);
    if (file === null || source !== 'csv') return null;
    if (file.format !== 'csv') return t('imports.fault.notCsv');
    if (head === null) return t('imports.fault.noHeader');
    return head.repeated === null ? null : t('imports.fault.repeated', { column: head.repeated });
  }

  const choose = (chosen: ReadableFile | FileFault | null): void => {
    create.reset();
    setTried(false);
    const readable = typeof chosen === 'string' ? null : chosen;
    setFile(readable);
    setFileFault(typeof chosen === 'string' ? chosen : null);
    const table = readable?.format === 'csv' ? csvHead(readable.head, readable.isWhole) : null;
    setChoices(proposal(table?.columns ?? []));
  };

  const submit = (): void => {
    setTried(true);
    if (file === null) return setFileFault((before) => before ?? 'missing');
    if (fault !== null) return;
    if (mapping && (mapping.fault !== null || columnFaults(mapping.head.columns, choices).size > 0)) return;
    create.mutate(file);
  };

  return (
    <Stack gap="lg" maw={960}>
      <PageHead title={t('imports.new')} lead={t('imports.newLead')} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          submit();
          setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
        }}
      >
        <Stack gap="lg">
          <Paper className="card" p="lg">
            <Stack>
              <Select
                label={t('imports.form.source')}
                description={t(`imports.help.${source}`)}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                data={sources.map((value) => ({ value, label: sourceName(value) }))}
                value={source}
                onChange={(value) => setSource(value!)}
                allowDeselect={false}
                disabled={create.isPending}
              />
              <FileField file={file} error={fault} isDisabled={create.isPending} onChange={choose} />
            </Stack>
          </Paper>
          {mapping && (
            <ColumnMapping
              head={mapping.head}
              choices={choices}
              fault={isTried ? mapping.fault : null}
              isTried={isTried}
              onChange={setChoices}
            />
          )}
          <Paper className="card" p="lg">
            <Stack>
              <Radio.Group label={t('imports.form.conflict')} value={conflict} onChange={setConflict}>
                <Stack gap="sm" mt="sm">
                  {conflictPolicies.map((policy) => (
                    <Radio
                      key={policy}
                      value={policy}
                      label={t(`imports.policy.${policy}`)}
                      description={t(`imports.policy.${policy}.hint`)}
                    />
                  ))}
                </Stack>
              </Radio.Group>
              {hasTimesWithoutZone(source) && (
                <Select
                  label={t('imports.form.timeZone')}
                  data={timeZones()}
                  value={timeZone}
                  onChange={(value) => setTimeZone(value ?? 'UTC')}
                  allowDeselect={false}
                  searchable
                  limit={100}
                  maw={360}
                />
              )}
            </Stack>
          </Paper>
          {create.error && !isCancelled && (
            <Alert color="red" role="alert" title={t('imports.form.failed')}>
              <ErrorText error={create.error} />
            </Alert>
          )}
          {create.isPending && file ? (
            <UploadProgress file={file.file} sent={sent} onCancel={() => upload.current?.abort()} />
          ) : (
            <Group justify="flex-end">
              <Button type="submit">{t('imports.form.submit')}</Button>
            </Group>
          )}
        </Stack>
      </form>
    </Stack>
  );
}
