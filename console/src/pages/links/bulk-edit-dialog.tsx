import { Button, Group, Modal, Select, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { DynamicLinkListItem } from 'signpost-client';
import { useState } from 'react';
import { androidAppsQuery, iosAppsQuery, matchingLinksQuery } from '../../api/queries';
import { ActionButton } from '../../components/action-button';
import { closing } from '../../components/closing';
import { FormError } from '../../components/form-error';
import { QueryView } from '../../components/query-view';
import { RowTable } from '../../components/row-table';
import { useI18n } from '../../i18n/i18n';
import { textsOfField } from '../../i18n/field-texts';
import type { LinkFilters } from './bulk-change';
import { type Edit, editFields, isApp, modesOf, planEdit, type PlannedEdit } from './bulk-edit';

/** Changes that the preview lists, because thousands are possible. */
const maxShown = 20;

/** Links that a change of a field can have, because the browser reads each of them for the preview. */
export const maxEdited = 2000;

interface Selection {
  projectId: string;
  /** The selected links of the page; null if the filters select. */
  links: readonly DynamicLinkListItem[] | null;
  filter: LinkFilters;
  count: number;
}

/** Changes one field of several links, after a preview of each change. */
export function BulkEditDialog({
  opened,
  onClose,
  onRun,
  ...selection
}: Selection & { opened: boolean; onClose: () => void; onRun: (plan: PlannedEdit[]) => Promise<void> }) {
  const { counted } = useI18n();
  const [isRunning, setRunning] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={counted('bulk.edit.title', selection.count)}
      size="lg"
      centered
      {...closing(isRunning)}
    >
      {opened && <Loaded {...selection} onClose={onClose} onRun={onRun} onRunning={setRunning} />}
    </Modal>
  );
}

interface Handlers {
  onClose: () => void;
  onRun: (plan: PlannedEdit[]) => Promise<void>;
  onRunning: (isRunning: boolean) => void;
}

function Loaded({ projectId, links, filter, count, ...handlers }: Selection & Handlers) {
  const { t, counted, number } = useI18n();
  const isTooMany = count > maxEdited;
  const matching = useQuery({ ...matchingLinksQuery(projectId, filter), enabled: links === null && !isTooMany });
  if (isTooMany) return <Text>{t('bulk.edit.tooMany', { max: number(maxEdited) })}</Text>;
  if (links !== null) return <EditForm projectId={projectId} links={links} {...handlers} />;
  return (
    <QueryView query={matching} height={200}>
      {({ data }) =>
        data.length === count ? (
          <EditForm projectId={projectId} links={data} {...handlers} />
        ) : (
          <Text>{counted('fault.countMismatch', data.length, { expected: number(count) })}</Text>
        )
      }
    </QueryView>
  );
}

function EditForm({
  projectId,
  links,
  onClose,
  onRun,
  onRunning,
}: { projectId: string; links: readonly DynamicLinkListItem[] } & Handlers) {
  const { t, counted } = useI18n();
  const [edit, setEdit] = useState<Edit>({ field: 'desktop_url', mode: 'whole', part: '', value: '' });
  const set = (changes: Partial<Edit>): void => setEdit((before) => ({ ...before, ...changes }));
  const ios = useQuery({ ...iosAppsQuery(projectId), enabled: edit.field === 'ios_app_id' }).data?.data ?? [];
  const android = useQuery({ ...androidAppsQuery(projectId), enabled: edit.field === 'android_app_id' }).data?.data;
  const apps = edit.field === 'ios_app_id' ? ios : (android ?? []);
  const plan = planEdit(links, edit);
  const run = useMutation({
    mutationFn: () => onRun(plan),
    onMutate: () => onRunning(true),
    onSettled: () => onRunning(false),
    onSuccess: onClose,
    retry: false,
  });
  const labelOf = (field: string): string => {
    const label = textsOfField(field)?.label;
    return label === undefined ? field : t(label);
  };
  const shown = (value: string): string =>
    value === '' ? t('conflict.empty') : (apps.find(({ id }) => id === value)?.name ?? value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (plan.length > 0) run.mutate();
      }}
    >
      <Stack>
        <FormError error={run.error} fields={[]} title={t('bulk.notChanged')} />
        <Select
          label={t('bulk.edit.field')}
          data={editFields.map((value) => ({ value, label: labelOf(value) }))}
          value={edit.field}
          onChange={(field) => field !== null && set({ field, mode: 'whole', value: '', part: '' })}
          allowDeselect={false}
          searchable
        />
        <SegmentedControl
          fullWidth
          aria-label={t('bulk.edit.mode')}
          data={modesOf(edit.field).map((value) => ({ value, label: t(`bulk.edit.${value}`) }))}
          value={edit.mode}
          onChange={(mode) => set({ mode })}
        />
        {edit.mode === 'part' && (
          <TextInput
            autoFocus
            label={t('bulk.edit.find')}
            value={edit.part}
            onChange={(event) => set({ part: event.currentTarget.value })}
          />
        )}
        {edit.mode !== 'empty' && isApp(edit.field) && (
          <Select
            label={t('bulk.edit.value')}
            data={apps.map(({ id, name }) => ({ value: id, label: name }))}
            value={edit.value || null}
            onChange={(value) => set({ value: value ?? '' })}
          />
        )}
        {edit.mode !== 'empty' && !isApp(edit.field) && (
          <TextInput
            // The form can come later than the dialog, which focuses only what it has when it opens.
            autoFocus={edit.mode === 'whole'}
            key={edit.mode}
            label={t(edit.mode === 'part' ? 'bulk.edit.by' : 'bulk.edit.value')}
            value={edit.value}
            onChange={(event) => set({ value: event.currentTarget.value })}
          />
        )}
        <Text fw={600} role="status">
          {counted('bulk.edit.changes', plan.length, { of: links.length })}
        </Text>
        {plan.length > 0 && (
          <RowTable
            isLow
            label={t('bulk.edit.preview')}
            heads={[t('links.name'), t('bulk.edit.before'), t('bulk.edit.after')]}
            rows={plan.slice(0, maxShown).map(({ id, name, before, after }) => ({
              key: id,
              cells: [
                name,
                <span className="mono">{shown(before)}</span>,
                <span className="mono">{shown(after)}</span>,
              ],
            }))}
          />
        )}
        {plan.length > maxShown && <Text size="sm">{counted('bulk.more', plan.length - maxShown)}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={run.isPending}>
            {t('confirm.cancel')}
          </Button>
          <ActionButton type="submit" loading={run.isPending} disabled={plan.length === 0}>
            {counted('bulk.edit.run', plan.length)}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  );
}
