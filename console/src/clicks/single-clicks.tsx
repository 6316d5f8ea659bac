import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ClickFilter, singleClicksQuery } from '../api/queries';
import { RowTable } from '../components/row-table';
import { useI18n } from '../i18n/i18n';
import type { Filters } from './filters';
import { useGroupName } from './use-group-name';

/** The service lists clicks of so many days at once. */
const maxDays = 35;

const dayMs = 24 * 60 * 60_000;

/** Returns the query of a list of clicks; null if it does not have a condition. */
function queryOf(
  filters: Filters,
  linkId: string | null,
  period: { from: string; to: string },
  bots: boolean,
): ClickFilter | null {
  const { link_id: links, bot, ...others } = filters;
  const isKnown = (name: string) => !name.startsWith('utm_') && name !== 'tag';
  if (Object.keys(others).some((name) => !isKnown(name)) || bot) return null;
  if (Object.values({ links, ...others }).some((values) => values && values.length > 1)) return null;
  const from = Math.max(Date.parse(period.from), Date.parse(period.to) - maxDays * dayMs);
  const link = linkId ?? links?.[0];
  return {
    ...(Object.fromEntries(Object.entries(others).map(([name, values]) => [name, values[0]])) as ClickFilter),
    ...(link && { dynamic_link_id: link }),
    from: new Date(from).toISOString(),
    to: period.to,
    include_bots: bots,
    limit: 25,
  };
}

/** Lists single clicks of the period on request, newest first. */
export function SingleClicks({
  projectId,
  linkId,
  filters,
  period,
  bots,
}: {
  projectId: string;
  linkId: string | null;
  filters: Filters;
  period: { from: string; to: string };
  bots: boolean;
}) {
  const { t } = useI18n();
  const [isOpen, setIsOpen] = useState(false);
  const query = queryOf(filters, linkId, period, bots);
  return (
    <Paper className="card" p="md" component="section" aria-label={t('clicks.single')}>
      <Group justify="space-between">
        <Title order={2}>{t('clicks.single')}</Title>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {t(isOpen ? 'clicks.single.hide' : 'clicks.single.show')}
        </Button>
      </Group>
      {isOpen &&
        (query ? (
          <ClickTable projectId={projectId} query={query} />
        ) : (
          <Text c="dimmed">{t('clicks.single.unfit')}</Text>
        ))}
    </Paper>
  );
}

function ClickTable({ projectId, query }: { projectId: string; query: ClickFilter }) {
  const { t, dateTime } = useI18n();
  const nameOf = useGroupName();
  const list = useInfiniteQuery(singleClicksQuery(projectId, query));
  const clicks = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const named = (property: 'platform' | 'browser' | 'country' | 'referrer', value: string | null) =>
    nameOf(property, { value, name: null, path: null });
  return (
    <Stack gap="sm" mt="sm" aria-busy={list.isFetching}>
      <RowTable
        label={t('clicks.single')}
        heads={(['time', 'link', 'platform', 'browser', 'country', 'referrer'] as const).map((name) =>
          t(name === 'time' ? 'clicks.single.time' : `clicks.property.${name}`),
        )}
        rows={clicks.map((click, key) => ({
          key,
          cells: [
            dateTime(click.clicked_at),
            <>
              <Link
                className="row-link"
                to="/projects/$projectId/links/$linkId"
                params={{ projectId, linkId: click.dynamic_link_id }}
              >
                …{click.dynamic_link_id.slice(-8)}
              </Link>
              {click.qr && ` (${t('clicks.filter.qr')})`}
            </>,
            named('platform', click.platform),
            named('browser', click.browser),
            named('country', click.country),
            named('referrer', click.referrer),
          ],
        }))}
      />
      {!list.isFetching && clicks.length === 0 && !list.hasNextPage && <Text c="dimmed">{t('clicks.none')}</Text>}
      {list.isError && (
        <Text c="red" role="alert">
          {t('clicks.single.failed')}
        </Text>
      )}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetching} onClick={() => void list.fetchNextPage()}>
          {t('clicks.single.more')}
        </Button>
      )}
    </Stack>
  );
}
