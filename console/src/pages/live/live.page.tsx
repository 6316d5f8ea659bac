import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { CloudEvent } from 'signpost-client';
import { useEffect, useState } from 'react';
import { followProject } from '../../api/project-events';
import { EmptyState } from '../../components/empty-state';
import { ErrorText } from '../../components/error-text';
import { IconBolt } from '../../components/icons';
import { PageHead } from '../../components/page-head';
import { RowTable } from '../../components/row-table';
import { useI18n } from '../../i18n/i18n';
import { typeText } from '../history/type-text';

/** Older events leave the page. */
const shownEvents = 100;

/** Shows the events of a project as they happen. */
export function LivePage() {
  const { t, counted, dateTime } = useI18n();
  const { projectId } = useParams({ from: '/projects/$projectId/live' });
  const [events, setEvents] = useState<CloudEvent[]>([]);
  // Undefined before the first answer.
  const [fault, setFault] = useState<Error | null>();
  useEffect(() => {
    const end = new AbortController();
    const add = (event: CloudEvent) => setEvents((before) => [event, ...before].slice(0, shownEvents));
    void followProject(projectId, add, setFault, end.signal);
    return () => end.abort();
  }, [projectId]);
  const nameOf = ({ data }: CloudEvent): string => {
    const values = (data.after ?? data.before ?? {}) as Record<string, unknown>;
    const name = values['name'] ?? values['slug'] ?? values['hostname'] ?? values['count'];
    return typeof name === 'string' || typeof name === 'number' ? String(name) : Object.keys(values).join(', ');
  };
  return (
    <Stack gap="lg">
      <PageHead title={t('nav.live')} lead={t('live.lead')}>
        <Badge color={fault === null ? 'brand' : 'gray'} variant="light" tt="none">
          {t(fault === null ? 'live.connected' : 'live.connecting')}
        </Badge>
      </PageHead>
      {fault && <ErrorText error={fault} />}
      <Paper className="card" aria-live="polite">
        {events.length === 0 ? (
          <EmptyState icon={IconBolt} title={t('live.emptyTitle')} text={t('live.emptyText')} />
        ) : (
          <RowTable
            label={t('nav.live')}
            heads={[t('history.when'), t('history.what'), t('history.who')]}
            rows={events.map((event) => ({
              key: event.id,
              cells: [
                dateTime(event.time),
                <Group gap="xs">
                  <Text fw={600}>{typeText(t, event.type)}</Text>
                  <Text>
                    {event.data.resource_count > 1
                      ? counted('history.resources', event.data.resource_count)
                      : nameOf(event)}
                  </Text>
                </Group>,
                t(`history.actor.${event.data.actor.kind}`),
              ],
            }))}
          />
        )}
      </Paper>
    </Stack>
  );
}
