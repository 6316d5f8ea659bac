import { Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Import } from 'signpost-client';
import { hasRows } from '../../api/import-queries';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';
import { importSearch, type Outcome, outcomes } from './import-search';

const route = '/projects/$projectId/imports/$importId';

/** Shows the rows by outcome. Each number filters the table below, if there is one. */
export function OutcomeCounts({ job }: { job: Import }) {
  const { t, number } = useI18n();
  const { outcome: chosen } = useAddressState(importSearch);
  const navigate = useNavigate({ from: route });
  const time = job.predicted === null ? 'before' : 'after';
  const choose = (outcome: Outcome): void =>
    void navigate({ search: outcome === chosen ? {} : { outcome }, replace: true, resetScroll: false });
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} role="group" aria-label={t('imports.outcomes')}>
      {outcomes.map((outcome) => {
        const content = (
          <>
            <Text size="sm" c="dimmed">
              {t(`imports.outcome.${outcome}.${time}`)}
            </Text>
            <Text fz={28} fw={700} lh={1.2} style={{ fontVariantNumeric: 'tabular-nums' }}>
              {number(job.counts[outcome])}
            </Text>
          </>
        );
        return hasRows(job) ? (
          <UnstyledButton
            key={outcome}
            className="card outcome"
            p="md"
            aria-pressed={outcome === chosen}
            onClick={() => choose(outcome)}
          >
            {content}
          </UnstyledButton>
        ) : (
          <Paper key={outcome} className="card" p="md">
            {content}
          </Paper>
        );
      })}
    </SimpleGrid>
  );
}
