import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Import } from 'signpost-client';
import { useState } from 'react';
import { ActionButton } from '../../components/action-button';
import { ApiError } from '../../api/api-error';
import { answerOf, api } from '../../api/client';
import { importQuery, isEnded } from '../../api/import-queries';
import { Confirm, type Confirmation } from '../../components/confirm';
import { IconPlayerPlay, IconTrash } from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { useAbortOnUnmount } from '../../components/use-abort-on-unmount';
import { useI18n } from '../../i18n/i18n';
import { isApiSource } from './api-sources';
import { BackToForm } from './back-to-form';
import { isStuck, mayRun } from './may-run';

/** Whether the page offers the form again beside other actions. A notice offers it if no run is possible. */
const hasWayBack = (job: Import): boolean =>
  job.state === 'cancelled' ||
  (job.state === 'failed' && job.format !== 'api') ||
  (job.state === 'ready' && !isStuck(job));

/** Runs, cancels or deletes an import after a question. */
export function ImportActions({ job }: { job: Import }) {
  const { t, counted } = useI18n();
  const client = useQueryClient();
  const navigate = useNavigate();
  const abortOnUnmount = useAbortOnUnmount();
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  // The form asks for the token again, because the service has removed it.
  const again = job.format === 'api' && job.state === 'failed' && isApiSource(job.source) ? { api: job.source } : null;
  const path = { projectId: job.project_id, importId: job.id };
  const { queryKey } = importQuery(job.project_id, job.id);

  /** Shows the state after a change, and also after one that the state did not allow any more. */
  const send = async (request: () => Promise<{ data: Import }>): Promise<void> => {
    try {
      const { data } = await request();
      client.setQueryData(queryKey, data);
      await client.invalidateQueries({ queryKey: queryKey.slice(0, -1) });
      void client.invalidateQueries({ queryKey: ['account'] });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'IMPORT_STATE') await client.invalidateQueries({ queryKey });
      throw error;
    }
  };
  const run = (): void => {
    const { created, replaced, conflict, refused } = job.counts;
    const leftOut = conflict + refused;
    setConfirmation({
      title: t('imports.runTitle'),
      text: [
        created > 0 && counted('imports.runCreates', created),
        replaced > 0 && counted('imports.runReplaces', replaced),
        leftOut > 0 && counted('imports.runLeavesOut', leftOut),
      ]
        .filter(Boolean)
        .join(' '),
      action: t('imports.run'),
      isHarmless: replaced === 0,
      run: () => send(() => answerOf(api.POST('/projects/{projectId}/imports/{importId}/run', { params: { path } }))),
    });
  };
  const cancel = (): void =>
    setConfirmation({
      title: t('imports.cancelTitle'),
      text: t(job.state === 'running' ? 'imports.cancelText' : 'imports.cancelDryText'),
      action: t('imports.cancel'),
      keep: t(job.state === 'ready' ? 'imports.keep' : 'imports.keepGoing'),
      run: () =>
        send(() => answerOf(api.POST('/projects/{projectId}/imports/{importId}/cancel', { params: { path } }))),
    });
  const remove = (): void =>
    setConfirmation({
      title: t('imports.deleteTitle'),
      text: t('imports.deleteText'),
      action: t('imports.delete'),
      run: async () => {
        const left = abortOnUnmount();
        await answerOf(api.DELETE('/projects/{projectId}/imports/{importId}', { params: { path } }));
        void client.invalidateQueries({ queryKey: queryKey.slice(0, -1), exact: true });
        void client.invalidateQueries({ queryKey: ['account'] });
        if (!left.aborted) await navigate({ to: '/projects/$projectId/imports', params: path, ignoreBlocker: true });
        // After its page, which would read them again.
        client.removeQueries({ queryKey });
      },
    });
  return (
    <Group gap="xs">
      <Confirm confirmation={confirmation} onClose={() => setConfirmation(null)} />
      {hasWayBack(job) && <BackToForm job={job} />}
      {!isEnded(job) && (
        <ActionButton operation="cancelImport" variant="default" onClick={cancel}>
          {t('imports.cancel')}
        </ActionButton>
      )}
      {mayRun(job) && (
        <ActionButton operation="runImport" leftSection={<IconPlayerPlay size={18} aria-hidden />} onClick={run}>
          {t('imports.run')}
        </ActionButton>
      )}
      {isEnded(job) && (
        <ActionButton
          operation="deleteImport"
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={remove}
        >
          {t('imports.delete')}
        </ActionButton>
      )}
      {isEnded(job) && (
        <ButtonLink
          operation="createImport"
          to="/projects/$projectId/imports/new"
          params={{ projectId: job.project_id }}
          search={again ?? {}}
          variant={job.state === 'completed' ? 'default' : 'filled'}
        >
          {t(again ? 'imports.again' : 'imports.new')}
        </ButtonLink>
      )}
    </Group>
  );
}
