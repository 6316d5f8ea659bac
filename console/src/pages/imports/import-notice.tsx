import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Import } from 'signpost-client';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
  type Icon as IconComponent,
} from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { useI18n } from '../../i18n/i18n';
import { BackToForm } from './back-to-form';
import { FailureText } from './failure-text';
import { outcomes } from './import-search';
import { isForbidden, isStuck } from './may-run';

/** Says what the end of the dry run or of the run means. */
export function ImportNotice({ job }: { job: Import }) {
  const { t, counted } = useI18n();
  const { predicted } = job;
  if (job.state === 'failed')
    return (
      <Notice color="red" icon={IconCircleX} title={t('imports.notice.failed')}>
        <FailureText job={job} />
        {predicted !== null && <Text>{t('imports.notice.cancelledText')}</Text>}
      </Notice>
    );
  if (job.state === 'cancelled')
    return (
      <Notice color="gray" icon={IconInfoCircle} title={t('imports.notice.cancelled')}>
        {predicted !== null && t('imports.notice.cancelledText')}
      </Notice>
    );
  if (isForbidden(job))
    return (
      <Notice color="yellow" icon={IconAlertTriangle} title={t('imports.notice.forbidden')}>
        <Group justify="space-between">
          {t('imports.notice.forbiddenText')}
          <BackToForm job={job} />
        </Group>
      </Notice>
    );
  if (isStuck(job)) {
    const { refused } = job.counts;
    return (
      <Notice color={refused > 0 ? 'yellow' : 'brand'} icon={IconInfoCircle} title={t('imports.notice.readyNothing')}>
        <Group justify="space-between">
          {refused > 0 && counted('imports.notice.refused', refused)}
          <BackToForm job={job} />
        </Group>
      </Notice>
    );
  }
  if (job.state === 'ready') return <Notice color="brand" icon={IconInfoCircle} title={t('imports.notice.ready')} />;
  const isAsPredicted = predicted !== null && outcomes.every((outcome) => predicted[outcome] === job.counts[outcome]);
  return (
    <Notice color="brand" icon={IconCircleCheck} title={t('imports.notice.completed')}>
      <Group justify="space-between">
        {t(isAsPredicted ? 'imports.notice.asPredicted' : 'imports.notice.differs')}
        <ButtonLink to="/projects/$projectId/links" params={{ projectId: job.project_id }} size="xs" variant="default">
          {t('imports.showLinks')}
        </ButtonLink>
      </Group>
    </Notice>
  );
}

function Notice(props: { color: string; icon: IconComponent; title: string; children?: ReactNode }) {
  const { icon: Icon, ...alert } = props;
  return <Alert role="status" icon={<Icon size={20} aria-hidden />} {...alert} />;
}
