import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DynamicLinkWithApps } from 'signpost-client';
import { linkLifeQuery } from '../../api/queries';
import { useI18n } from '../../i18n/i18n';

/** Says whether a link has ended, and what its limit has counted. Shows nothing for links that do not end. */
export function LinkLife({ projectId, link }: { projectId: string; link: DynamicLinkWithApps }) {
  const { t } = useI18n();
  const { active_from: from, active_until: until, click_limit: limit } = link;
  const ends = from !== null || until !== null || limit !== null;
  const life = useQuery({ ...linkLifeQuery(projectId, link.id), enabled: ends }).data;
  if (!ends || !life) return null;
  const { state, clicks_used: used, ended_visits: late } = life.data;
  const parts = [
    t(`link.life.${state}`),
    ...(limit === null ? [] : [t('link.life.used', { used: String(used), limit: String(limit) })]),
    ...(late === 0 ? [] : [t('link.life.late', { visits: String(late) })]),
  ];
  return <Text size="sm">{parts.join(' ')}</Text>;
}
