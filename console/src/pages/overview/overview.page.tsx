import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { projectQuery } from '../../api/queries';
import { clicksSearch } from '../../clicks/clicks-search';
import { ClicksView } from '../../clicks/clicks-view';
import { IconPlus } from '../../components/icons';
import { ButtonLink } from '../../components/router-links';
import { PageHead } from '../../components/page-head';
import { QueryView } from '../../components/query-view';
import { useAddressState } from '../../components/use-address-state';
import { useI18n } from '../../i18n/i18n';

const FirstSteps = lazy(() => import('../first-steps/first-steps'));

const route = '/projects/$projectId';

export function OverviewPage() {
  const { t } = useI18n();
  const { projectId } = useParams({ from: route });
  const state = useAddressState(clicksSearch);
  const navigate = useNavigate({ from: route });
  const project = useQuery(projectQuery(projectId));
  return (
    <QueryView
      query={project}
      height={600}
      head={(isMissing) => (
        <PageHead title={t(isMissing ? 'notFound.project' : 'fault.title')}>
          <ButtonLink variant="default" to="/">
            {t('notFound.toProjects')}
          </ButtonLink>
        </PageHead>
      )}
    >
      {({ value }) => (
        <Stack gap="lg">
          <PageHead title={value.name} lead={t('overview.lead')}>
            <Group>
              <ButtonLink
                operation="createDynamicLink"
                to="/projects/$projectId/links/new"
                params={{ projectId }}
                leftSection={<IconPlus size={18} aria-hidden />}
              >
                {t('links.new')}
              </ButtonLink>
            </Group>
          </PageHead>
          <ClicksView
            projectId={projectId}
            state={state}
            whenEmpty={
              // Filters and other periods can be empty in a project that has visitors.
              !(state.filters ?? state.days ?? state.range) && (
                <Suspense>
                  <FirstSteps project={value} />
                </Suspense>
              )
            }
            onChange={(changes) => void navigate({ search: (before) => ({ ...before, ...changes }), replace: true })}
          />
        </Stack>
      )}
    </QueryView>
  );
}
