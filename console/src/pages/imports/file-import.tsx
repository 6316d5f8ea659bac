import { Alert, Button, Group, Paper, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { createImport, discardDryRun } from '../../api/import-queries';
import { useLeaveQuestion } from '../../components/use-leave-question';
import { useUnsavedChanges } from '../../components/use-unsaved-changes';
import { PendingFields } from '../../components/pending-fields';
import { useI18n } from '../../i18n/i18n';
import { type Choice, columnFaults, columnsOption, mappingFault, proposal, valuesAt } from './column-mapping';
import { ColumnMapping } from './column-mapping-fields';
import { csvHead } from './csv-head';
import { FileField } from './file-field';
import { heldForm, holdForm } from './held-form';
import type { FileFault, Format, ReadableFile } from './import-file';
import { ImportForm, type NewImport } from './import-form';
import { ImportRulesFields } from './import-rules-fields';
import { type Source, sources, timeOptions } from './import-sources';
import { rememberedMapping, rememberMapping } from './remembered-mapping';
import { SourceField } from './source-field';
import { UploadError } from './upload-error';
import { UploadProgress } from './upload-progress';
import { useShowImport } from './use-show-import';
import { ambiguousDate } from './value-forms';

const mediaTypes: Record<Format, string> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Uploads a file for a dry run. */
export function FileImport({ projectId, source, onSource, rules, onRules, mutationKey, from }: NewImport<Source>) {
  const { t } = useI18n();
  const { abortOnUnmount, show } = useShowImport(projectId);
  const held = heldForm(from);
  const [file, setFile] = useState<ReadableFile | null>(held?.file ?? null);
  const [fileFault, setFileFault] = useState<FileFault | 'missing' | null>(null);
  const [choices, setChoices] = useState<Choice[]>(held?.choices ?? []);
  const [isRemembered, setRemembered] = useState(false);
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState(0);
  const upload = useRef<AbortController | null>(null);

  const head = useMemo(() => (file?.format === 'csv' ? csvHead(file.head, file.isWhole) : null), [file]);
  const isMapped = source === 'csv' && head?.repeated === null;
  const mapping = isMapped && file ? { head, fault: mappingFault(head.columns, choices) } : null;
  const fault = faultText();
  const date = rules.dateFormat === 'iso' ? ambiguousDate(createdAtValues()) : undefined;

  const create = useMutation({
    mutationKey,
    mutationFn: async ({ file: content, format, encoding }: ReadableFile) => {
      const { signal } = (upload.current = new AbortController());
      const options = {
        ...timeOptions(source, rules),
        ...(encoding !== 'utf-8' && { encoding }),
        ...(mapping && { columns: columnsOption(mapping.head.columns, choices) }),
      };
      const query = { source, conflict: rules.conflict, options: JSON.stringify(options) };
      const body = { file: content, mediaType: mediaTypes[format] };
      if (from !== undefined) await discardDryRun(projectId, from);
      return createImport(projectId, { ...query, ...body }, setSent, signal);
    },
    // An upload whose answer is lost may have created the import.
    retry: false,
    onMutate: () => {
      setSent(0);
      return abortOnUnmount();
    },
    onSuccess: (job, sentFile, left) => {
      holdForm({ importId: job.id, file: sentFile, source, rules, choices });
      if (mapping) rememberMapping(mapping.head.columns, choices);
      return show(job, left);
    },
  });
  const isCancelled = create.error instanceof DOMException;
  // The file has to be chosen, and its columns mapped, again.
  useUnsavedChanges(file !== null && !create.isPending);
  useLeaveQuestion(create.isPending, () => {
    const leaves = window.confirm(t('imports.upload.leave'));
    if (leaves) upload.current?.abort();
    return leaves;
  });

  function faultText(): string | null {
    if (fileFault !== null) return t(`imports.fault.${fileFault}`);
    if (file === null || source !== 'csv') return null;
    if (file.format !== 'csv') return t('imports.fault.notCsv');
    if (head === null) return t('imports.fault.noHeader');
    return head.repeated === null ? null : t('imports.fault.repeated', { column: head.repeated });
  }

  /** Returns the first values that become times of creation. */
  function createdAtValues(): string[] {
    if (!mapping) return [];
    const places = [...choices.keys()].filter((at) => choices[at] === 'original_created_at');
    return places.flatMap((at) => valuesAt(mapping.head.rows, at));
  }

  const choose = (chosen: ReadableFile | FileFault | null): void => {
    create.reset();
    setTried(false);
    const readable = typeof chosen === 'string' ? null : chosen;
    setFile(readable);
    setFileFault(typeof chosen === 'string' ? chosen : null);
    const table = readable?.format === 'csv' ? csvHead(readable.head, readable.isWhole) : null;
    const remembered = table && rememberedMapping(table.columns);
    setRemembered(Boolean(remembered));
    setChoices(remembered ?? (table ? proposal(table.columns, table.rows) : []));
  };

  const submit = (): void => {
    setTried(true);
    if (file === null) return setFileFault((before) => before ?? 'missing');
    if (fault !== null) return;
    if (mapping && (mapping.fault !== null || columnFaults(mapping.head.columns, choices).size > 0)) return;
    if (date !== undefined) return;
    create.mutate(file);
  };

  return (
    <ImportForm onSubmit={submit}>
      <Paper className="card" p="lg">
        <Stack>
          <SourceField
            sources={sources}
            source={source}
            help={t(`imports.help.${source}`)}
            isDisabled={create.isPending}
            onChange={onSource}
          />
          <FileField file={file} error={fault} isDisabled={create.isPending} onChange={choose} />
        </Stack>
      </Paper>
      <PendingFields isPending={create.isPending}>
        {mapping && (
          <ColumnMapping
            head={mapping.head}
            choices={choices}
            isRemembered={isRemembered}
            fault={isTried ? mapping.fault : null}
            isTried={isTried}
            onChange={setChoices}
          />
        )}
        <ImportRulesFields
          source={source}
          rules={rules}
          ambiguousDate={isTried ? date : undefined}
          onChange={onRules}
        />
      </PendingFields>
      {create.error && !isCancelled && (
        <Alert color="red" role="alert" title={t('imports.form.failed')}>
          <UploadError error={create.error} />
        </Alert>
      )}
      {create.isPending && file ? (
        <UploadProgress file={file.file} sent={sent} onCancel={() => upload.current?.abort()} />
      ) : (
        <Group justify="flex-end">
          <Button type="submit">{t('imports.form.submit')}</Button>
        </Group>
      )}
    </ImportForm>
  );
}
