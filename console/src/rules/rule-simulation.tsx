import { Badge, MultiSelect, Paper, SimpleGrid, Stack, TagsInput, Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client';
import { errorsAtFields } from '../api/errors-at-fields';
import type { LinkChanges } from '../pages/link/link-values';
import { errorAt } from '../components/error-at';
import { QueryView } from '../components/query-view';
import { useI18n } from '../i18n/i18n';
import { platformOptions } from './condition-options';
import { Countries } from './condition-input';
import type { RuleDraft } from './rule-drafts';
import {
  maxVisits,
  momentOf,
  type SimulatedPlatform,
  type SimulatedVisitors,
  simulateQueryOf,
  visitorsFor,
  visitsOf,
} from './simulated-visitors';
import { SimulatedVisits } from './simulated-visits';

/** @param changes the unsaved changes; null without them */
const simulationQuery = (
  projectId: string,
  linkId: string,
  changes: LinkChanges | null,
  visitors: SimulatedVisitors | null,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'explain', linkId, 'simulate', visitors, changes],
    queryFn:
      visitors === null
        ? skipToken
        : async ({ signal }) => {
            const params = { path: { projectId, linkId }, query: simulateQueryOf(visitors) };
            const body = changes ?? {};
            return (await answerOf(api.POST('/projects/{projectId}/links/{linkId}/simulate', { params, body, signal })))
              .data;
          },
    placeholderData: keepPreviousData,
  });

/** Shows the answers to a table of visitors, and which rule decides each. */
export default function RuleSimulation({
  projectId,
  linkId,
  rules,
  changes,
}: {
  projectId: string;
  linkId: string;
  rules: RuleDraft[];
  changes: LinkChanges | null;
}) {
  const i18n = useI18n();
  const { t, number } = i18n;
  const [chosen, setChosen] = useState<SimulatedVisitors | null>(null);
  const visitors = chosen ?? visitorsFor(rules);
  const set = (changed: Partial<SimulatedVisitors>): void => setChosen({ ...visitors, ...changed });
  const visits = visitsOf(visitors);
  const wrongTime = visitors.times.find((time) => momentOf(time) === null);
  const isPossible = visits <= maxVisits && wrongTime === undefined;
  const simulation = useQuery(simulationQuery(projectId, linkId, changes, isPossible ? visitors : null));
  const errors = errorsAtFields(simulation.error, i18n);
  const isRefused = Object.keys(errors).length > 0;
  const platforms = [
    ...platformOptions(t('rules.otherPlatform')),
    { value: 'desktop' as SimulatedPlatform, label: t('visit.desktop') },
  ];
  return (
    <Paper className="card" p="lg">
      <Stack gap="sm">
        <Title order={2}>{t('simulation.title')}</Title>
        <Text size="sm" c="dimmed">
          {t('simulation.hint')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <MultiSelect
            label={t('rules.condition.platforms')}
            data={platforms}
            value={visitors.platforms}
            onChange={(value) => set({ platforms: value })}
            hidePickedOptions
          />
          <Countries
            label={t('rules.condition.countries')}
            error={errorAt(errors, 'country')}
            value={visitors.countries}
            onChange={(countries) => set({ countries })}
          />
          <TagsInput
            label={t('rules.condition.languages')}
            placeholder={visitors.languages.length === 0 ? t('simulation.unknown') : undefined}
            error={errorAt(errors, 'language')}
            value={visitors.languages}
            onChange={(languages) => set({ languages })}
          />
          <TagsInput
            label={t('simulation.times')}
            placeholder={visitors.times.length === 0 ? '2026-12-24 18:00' : undefined}
            error={wrongTime === undefined ? null : t('simulation.wrongTime', { time: wrongTime })}
            value={visitors.times}
            onChange={(times) => set({ times })}
          />
        </SimpleGrid>
        <div role="status">
          {isRefused && <Text size="sm">{t('visit.correct')}</Text>}
          {changes !== null && !isRefused && (
            <Badge variant="light" tt="none">
              {t('visit.unsaved')}
            </Badge>
          )}
          {visits > maxVisits && (
            <Text size="sm">{t('simulation.tooMany', { count: number(visits), limit: number(maxVisits) })}</Text>
          )}
        </div>
        {!isRefused && isPossible && (
          <QueryView query={simulation} height={200}>
            {({ visits: rows }) => <SimulatedVisits visits={rows} />}
          </QueryView>
        )}
      </Stack>
    </Paper>
  );
}
