import { Divider, NavLink, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { projectQuery } from '../api/queries';
import {
  type Icon,
  IconBook,
  IconFolders,
  IconHistory,
  IconKey,
  IconUserCircle,
  IconWebhook,
} from '../components/icons';
import { NavigationLink } from '../components/router-links';
import { useI18n } from '../i18n/i18n';
import { useRefusals } from '../session/use-refusal';
import { useSession } from '../session/use-session';
import { projectPages } from './project-pages';

const iconOf = (Icon: Icon) => <Icon size={18} stroke={1.7} aria-hidden />;

/** Lists the pages of the account, and those of the project that is open. */
export function Navigation() {
  const { t } = useI18n();
  const { projectId } = useParams({ strict: false });
  const isPerson = useSession().kind === 'person';
  const refusals = useRefusals();
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
      {(!isPerson || refusals('listApiKeys') === null) && (
        <NavigationLink className="nav-link" to="/api-keys" label={t('nav.apiKeys')} leftSection={iconOf(IconKey)} />
      )}
      {refusals('listMembers') === null && (
        <NavigationLink
          className="nav-link"
          to="/members"
          label={t('nav.members')}
          leftSection={iconOf(IconUserCircle)}
        />
      )}
      {refusals('listApprovals') === null && (
        <NavigationLink
          className="nav-link"
          to="/approvals"
          label={t('nav.approvals')}
          leftSection={iconOf(IconUserCircle)}
        />
      )}
      {refusals('listWebhooks') === null && (
        <NavigationLink
          className="nav-link"
          to="/webhooks"
          label={t('nav.webhooks')}
          leftSection={iconOf(IconWebhook)}
        />
      )}
      {refusals('listAuditLogEntries') === null && (
        <NavigationLink
          className="nav-link"
          to="/audit-log"
          label={t('nav.auditLog')}
          leftSection={iconOf(IconHistory)}
        />
      )}
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
  return (
    <>
      <Divider my="xs" />
      <Text size="sm" fw={600} px="sm" py={4} truncate title={project?.value.name}>
        {project?.value.name ?? '\u00a0'}
      </Text>
      {projectPages.map(([to, label, Icon], at) => (
        <NavigationLink
          key={to}
          className="nav-link"
          to={to}
          params={{ projectId }}
          // The address of the first page is the beginning of all others.
          activeOptions={{ exact: at === 0, includeSearch: false }}
          label={t(label)}
          leftSection={iconOf(Icon)}
        />
      ))}
    </>
  );
}
