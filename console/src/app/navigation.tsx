import { Divider, NavLink, Stack, Text } from '@mantine/core';
import {
  IconApps,
  IconBook,
  IconChartAreaLine,
  IconFolders,
  IconKey,
  IconLink,
  IconSettings,
  IconUserCircle,
  IconWorld,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectQuery } from '../api/queries';
import { NavigationLink } from '../components/router-links';
import { useI18n } from '../i18n/i18n';

const iconOf = (Icon: typeof IconLink) => <Icon size={18} stroke={1.7} aria-hidden />;

/** Lists the pages of the account, and those of the project that is open. */
export function Navigation() {
  const { t } = useI18n();
  const { projectId } = useParams({ strict: false });
  return (
    <Stack gap={4} h="100%">
      <NavigationLink
        className="nav-link"
        to="/"
        activeOptions={{ exact: true }}
        label={t('nav.projects')}
        leftSection={iconOf(IconFolders)}
      />
      {projectId !== undefined && <ProjectNavigation projectId={projectId} />}
      <Divider my="xs" />
      <NavigationLink className="nav-link" to="/api-keys" label={t('nav.apiKeys')} leftSection={iconOf(IconKey)} />
      <NavigationLink
        className="nav-link"
        to="/account"
        label={t('nav.account')}
        leftSection={iconOf(IconUserCircle)}
      />
      <NavLink
        className="nav-link"
        href="/api/docs"
        target="_blank"
        rel="noreferrer"
        label={t('nav.apiReference')}
        leftSection={iconOf(IconBook)}
      />
    </Stack>
  );
}

function ProjectNavigation({ projectId }: { projectId: string }) {
  const { t } = useI18n();
  const { data: project } = useQuery(projectQuery(projectId));
  const params = { projectId };
  return (
    <>
      <Divider my="xs" />
      <Text size="sm" fw={600} px="sm" py={4} truncate title={project?.value.name}>
        {project?.value.name ?? '\u00a0'}
      </Text>
      <NavigationLink
        className="nav-link"
        to="/projects/$projectId"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        label={t('nav.overview')}
        leftSection={iconOf(IconChartAreaLine)}
      />
      <NavigationLink
        className="nav-link"
        to="/projects/$projectId/links"
        params={params}
        activeOptions={{ includeSearch: false }}
        label={t('nav.links')}
        leftSection={iconOf(IconLink)}
      />
      <NavigationLink
        className="nav-link"
        to="/projects/$projectId/apps"
        params={params}
        label={t('nav.apps')}
        leftSection={iconOf(IconApps)}
      />
      <NavigationLink
        className="nav-link"
        to="/projects/$projectId/domains"
        params={params}
        label={t('nav.domains')}
        leftSection={iconOf(IconWorld)}
      />
      <NavigationLink
        className="nav-link"
        to="/projects/$projectId/settings"
        params={params}
        label={t('nav.settings')}
        leftSection={iconOf(IconSettings)}
      />
    </>
  );
}
