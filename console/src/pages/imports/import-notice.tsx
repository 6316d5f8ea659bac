import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { Import } from 'signpost-client';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { FailureText } from './failure-text';
import { outcomes } from './import-search';
import { isForbidden, mayRun } from './may-run';

/** Says what the end of the dry run or of the run means. */
export function ImportNotice({ job }: { job: Import }) {
  const { t } = useI18n();
  const { predicted } = job;
  if (job.state === 'failed')
    return (
      <Alert color="red" role="status" icon={<IconCircleX size={20} aria-hidden />} title={t('imports.notice.failed')}>
        <FailureText job={job} />
        {predicted !== null && <Text>{t('imports.notice.cancelledText')}</Text>}
      </Alert>
    );
  if (job.state === 'cancelled')
    return (
      <Alert
        color="gray"
        role="status"
        icon={<IconInfoCircle size={20} aria-hidden />}
        title={t('imports.notice.cancelled')}
      >
        {predicted !== null && t('imports.notice.cancelledText')}
      </Alert>
    );
  if (isForbidden(job))
    return (
      <Alert
        color="yellow"
        role="status"
        icon={<IconAlertTriangle size={20} aria-hidden />}
        title={t('imports.notice.forbidden')}
      >
        {t('imports.notice.forbiddenText')}
      </Alert>
    );
  if (job.state === 'ready')
    return (
      <Alert
        color="brand"
        role="status"
        icon={<IconInfoCircle size={20} aria-hidden />}
        title={t(mayRun(job) ? 'imports.notice.ready' : 'imports.notice.readyNothing')}
      />
    );
  const isAsPredicted = predicted !== null && outcomes.every((outcome) => predicted[outcome] === job.counts[outcome]);
  return (
    <Alert
      color="brand"
      role="status"
      icon={<IconCircleCheck size={20} aria-hidden />}
      title={t('imports.notice.completed')}
    >
      <Group justify="space-between">
        {t(isAsPredicted ? 'imports.notice.asPredicted' : 'imports.notice.differs')}
        <ButtonLink to="/projects/$projectId/links" params={{ projectId: job.project_id }} size="xs" variant="default">
          {t('imports.showLinks')}
        </ButtonLink>
      </Group>
    </Alert>
  );
}
